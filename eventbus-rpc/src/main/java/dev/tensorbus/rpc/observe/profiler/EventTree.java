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

/// Combines the events of several processes: nests them, assigns methods to calls, and links sent
/// gradients to received ones.
final class EventTree {
  private final Map<String, WorkerInfo> workers;
  private final ProfilerOptions options;
  private final long start;
  private final long end;
  private final List<Slice> slices = new ArrayList<>();

  /// Creates an empty tree. Since workers start and stop recording one after another, the profile
  /// contains only events that started while all workers were recording.
  ///
  /// @param start the time by which all workers had started recording, by the profiling worker's
  ///     clock
  /// @param end the time at which the workers were told to stop, by the same clock
  EventTree(Collection<WorkerInfo> workers, ProfilerOptions options, long start, long end) {
    this.workers =
        workers.stream().collect(Collectors.toMap(WorkerInfo::name, Function.identity()));
    this.options = options;
    this.start = start;
    this.end = end;
  }

  private record CallKey(String caller, String callee, long number) {}

  /// Identifies a message with tensors whose gradients are sent back.
  private record MessageKey(long context, long number) {}

  /// An event whose parent is still being determined.
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
  /// @param recorder the worker that recorded the events; an event belongs to it unless the event
  ///     or an enclosing one names another worker
  /// @param ahead how many nanoseconds the recorder's clock is ahead of the profiling worker's
  ///     clock
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

  /// Nests the events of one thread.
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

  /// Builds the profile, with the events ordered by start.
  ///
  /// @param recorded the workers that sent their recordings
  /// @param missing the names of the workers that sent nothing
  /// @param leftOut the number of events dropped because recordings were too long
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
      slice.name = ownName(slice.event); // breaks the cycle if a call number was used twice
      slice.name = prefix(slice) + ownName(slice.event);
    }
    return slice.name;
  }

  /// Returns the prefix of the names of events in a call's method, in PyTorch's format; empty for
  /// all other events.
  private static String prefix(Slice slice) {
    Slice method = slice;
    while (method != null && method.event.kind() != EventKind.METHOD) {
      method = method.parent;
    }
    return method == null || method.call == null ? "" : nameOf(method.call) + "#remote_op: ";
  }
}
