// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.profiler;

import dev.tensorbus.rpc.WorkerInfo;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Puts the events of several processes together: what ran within what, which method belongs to
/// which call, and where gradients went.
final class EventTree {
  private final Map<String, WorkerInfo> workers;
  private final ProfilerOptions options;
  private final long start;
  private final long end;
  private final List<Slice> slices = new ArrayList<>();

  /// Workers begin and end their recordings one after another. All that begins while all record
  /// belongs to the profile, and nothing else.
  ///
  /// @param start when all had begun to record, by the clock of the worker that profiles
  /// @param end when they were told to end
  EventTree(Collection<WorkerInfo> workers, ProfilerOptions options, long start, long end) {
    this.workers =
        workers.stream().collect(Collectors.toMap(WorkerInfo::name, Function.identity()));
    this.options = options;
    this.start = start;
    this.end = end;
  }

  /// A call that was sent.
  private record CallKey(String caller, String callee, long number) {}

  /// The message that brought tensors, whose gradients go back.
  private record MessageKey(long context, long number) {}

  /// One event, while its place is found.
  private static final class Slice {
    private final LocalEvent event;
    private final long start;
    private WorkerInfo worker;
    private @Nullable Slice parent;
    private final List<Slice> children = new ArrayList<>();
    private @Nullable Slice call;
    private @Nullable String name;
    private @Nullable FunctionEvent built;

    private Slice(LocalEvent event, long start, WorkerInfo worker) {
      this.event = event;
      this.start = start;
      this.worker = worker;
    }

    private long end() {
      return start + event.nanos();
    }
  }

  /// Adds the events of one process.
  ///
  /// @param recorder the worker that recorded them, to whom those belong that no method encloses
  /// @param ahead by how many nanoseconds its clock is ahead of that of the worker that profiles
  void add(WorkerInfo recorder, long ahead, List<LocalEvent> events) {
    Map<Long, List<Slice>> byThread = new HashMap<>();
    for (LocalEvent event : events) {
      long began = event.start() - ahead;
      if (began < start || began > end) {
        continue;
      }
      Slice slice = new Slice(event, began, workers.getOrDefault(event.worker(), recorder));
      slices.add(slice);
      byThread.computeIfAbsent(event.threadId(), _ -> new ArrayList<>()).add(slice);
    }
    byThread.values().forEach(EventTree::nest);
  }

  /// Finds what is within what on one thread.
  private static void nest(List<Slice> thread) {
    thread.sort(
        Comparator.<Slice>comparingLong(slice -> slice.start)
            .thenComparing(Comparator.comparingLong(Slice::end).reversed()));
    Deque<Slice> open = new ArrayDeque<>();
    for (Slice slice : thread) {
      while (!open.isEmpty() && open.peek().end() <= slice.start) {
        open.pop();
      }
      slice.parent = open.peek();
      if (slice.parent != null) {
        slice.parent.children.add(slice);
        if (slice.event.worker().isEmpty()) {
          slice.worker = slice.parent.worker;
        }
      }
      if (!slice.event.isAsync()) {
        open.push(slice);
      }
    }
  }

  /// All of it, in the order of the begin.
  ///
  /// @param recorded the workers that were asked and sent what they had
  /// @param missing the workers that sent nothing
  /// @param leftOut how many events were too many
  Profile build(List<WorkerInfo> recorded, List<String> missing, long leftOut) {
    slices.sort(Comparator.comparingLong(slice -> slice.start));
    Map<CallKey, Slice> calls = new HashMap<>();
    Map<MessageKey, Slice> receives = new HashMap<>();
    for (Slice slice : slices) {
      if (slice.event.kind() == EventKind.CALL) {
        calls.put(
            new CallKey(slice.event.worker(), slice.event.peer(), slice.event.number()), slice);
      } else if (slice.event.kind() == EventKind.RECEIVE) {
        receives.put(gradients(slice), slice);
      }
    }
    for (Slice slice : slices) {
      if (slice.event.kind() == EventKind.METHOD) {
        slice.call =
            calls.get(new CallKey(slice.event.peer(), slice.event.worker(), slice.event.number()));
      }
    }
    List<FunctionEvent> events = slices.stream().map(this::built).toList();
    return new Profile(events, flows(receives), recorded, missing, leftOut, options);
  }

  private static MessageKey gradients(Slice slice) {
    return new MessageKey(slice.event.context(), slice.event.number());
  }

  private List<Profile.Flow> flows(Map<MessageKey, Slice> receives) {
    List<Profile.Flow> flows = new ArrayList<>();
    for (Slice slice : slices) {
      Slice from =
          switch (slice.event.kind()) {
            case METHOD -> slice.call;
            case SEND -> receives.get(gradients(slice));
            default -> null;
          };
      if (from != null) {
        flows.add(new Profile.Flow(built(from), built(slice)));
      }
    }
    return flows;
  }

  private FunctionEvent built(Slice slice) {
    if (slice.built != null) {
      return slice.built;
    }
    List<FunctionEvent> children = slice.children.stream().map(this::built).toList();
    LocalEvent event = slice.event;
    long within =
        children.stream().filter(child -> !child.isAsync()).mapToLong(FunctionEvent::nanos).sum();
    String name = nameOf(slice);
    String own = ownName(event);
    FunctionEvent made =
        new FunctionEvent(
            name,
            own,
            event.kind(),
            slice.worker,
            event.thread(),
            event.isAsync(),
            !name.equals(own),
            slice.start - start,
            event.nanos(),
            Math.max(0, event.nanos() - within),
            options.recordShapes() && event.kind() == EventKind.OPERATION ? event.detail() : "",
            options.profileMemory() ? event.bytes() : 0,
            children);
    slice.built = made;
    return made;
  }

  private static String ownName(LocalEvent event) {
    return event.kind() == EventKind.CALL
        ? "%s#%s(%s -> %s)".formatted(event.detail(), event.name(), event.worker(), event.peer())
        : event.name();
  }

  private static String nameOf(Slice slice) {
    if (slice.name == null) {
      slice.name = ownName(slice.event); // ends it here if a number was given twice
      slice.name = prefix(slice) + ownName(slice.event);
    }
    return slice.name;
  }

  /// The name of the call in whose method something ran, as PyTorch has it.
  private static String prefix(Slice slice) {
    Slice method = slice;
    while (method != null && method.event.kind() != EventKind.METHOD) {
      method = method.parent;
    }
    return method == null || method.call == null ? "" : nameOf(method.call) + "#remote_op: ";
  }
}
