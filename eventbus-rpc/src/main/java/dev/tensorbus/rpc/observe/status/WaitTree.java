// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.status;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.Set;
import java.util.stream.Collectors;

/// Shows which workers wait for which, starting with the causes: each call that waits for no other
/// call is followed by the calls that wait for it. A cycle of calls is a deadlock in the wait-for
/// graph of Coffman, Elphick and Shoshani, "System Deadlocks" (1971).
public final class WaitTree {
  private final WorldStatus world;
  private final Map<String, WaitingCall> calls = new LinkedHashMap<>();
  private final Map<WaitingCall, List<WaitingCall>> causes = new HashMap<>();
  private final Map<WaitingCall, List<WaitingCall>> waiters = new HashMap<>();
  private final Set<WaitingCall> told = new HashSet<>();
  private final List<String> lines = new ArrayList<>();

  private WaitTree(WorldStatus world) {
    this.world = world;
    for (WorkerStatus worker : world.workers()) {
      worker.calls().forEach(call -> addAwaited(worker.worker(), call));
      worker.serving().forEach(call -> addServing(worker.worker(), call));
    }
    connect();
  }

  /// Returns the lines of the tree.
  public static List<String> lines(WorldStatus world) {
    return new WaitTree(world).tell();
  }

  private void addAwaited(String from, AwaitedCall call) {
    CallId id = new CallId(from, call.number());
    calls.merge(
        key(call.to(), id),
        new WaitingCall(call.to(), id, call, null),
        (known, more) -> new WaitingCall(known.to(), id, call, known.serving()));
  }

  private void addServing(String to, ServingCall call) {
    CallId id = call.id();
    calls.merge(
        key(to, id),
        new WaitingCall(to, id, null, call),
        (known, more) -> new WaitingCall(to, id, known.awaited(), call));
  }

  private static String key(String to, CallId id) {
    return id.from() + " " + id.number() + " " + to;
  }

  private void connect() {
    Map<String, List<WaitingCall>> at =
        calls.values().stream().collect(Collectors.groupingBy(WaitingCall::to));
    for (WaitingCall other : calls.values()) {
      SequencedSet<WaitingCall> maybe = new LinkedHashSet<>(at.getOrDefault(other.to(), List.of()));
      maybe.addAll(at.getOrDefault(other.id().from(), List.of()));
      for (WaitingCall call : maybe) {
        if (!call.equals(other) && call.waitsFor(other)) {
          causes.computeIfAbsent(call, key -> new ArrayList<>()).add(other);
          waiters.computeIfAbsent(other, key -> new ArrayList<>()).add(call);
        }
      }
    }
  }

  private List<WaitingCall> causes(WaitingCall call) {
    return causes.getOrDefault(call, List.of());
  }

  private List<WaitingCall> waiters(WaitingCall call) {
    return waiters.getOrDefault(call, List.of());
  }

  private List<String> tell() {
    calls.values().stream()
        .filter(call -> causes(call).isEmpty())
        .collect(Collectors.groupingBy(this::site, LinkedHashMap::new, Collectors.toList()))
        .values()
        .stream()
        .sorted(
            Comparator.comparingInt((List<WaitingCall> same) -> workersBehind(same).size())
                .thenComparingLong(same -> same.getFirst().forMs())
                .reversed())
        .forEach(this::tellCause);
    for (WaitingCall call : calls.values()) {
      if (!told.contains(call)) {
        tellCycle(cycle(call));
      }
    }
    if (lines.isEmpty()) {
      lines.add("nobody waits for a call");
    }
    return lines;
  }

  /// Returns the worker and the method of a call, and either the code location of its thread or, if
  /// it has no thread, its state.
  private String site(WaitingCall call) {
    ThreadStatus thread = call.serving() == null ? null : call.serving().thread();
    String state = thread == null ? state(call) : thread.place();
    return call.to() + " " + call.method() + " " + state;
  }

  /// Adds a line for calls that are at the same location and wait for no other call, followed by
  /// the lines for their waiters.
  private void tellCause(List<WaitingCall> same) {
    told.addAll(same);
    WaitingCall first = same.getFirst();
    lines.add(
        subject(workersBehind(same), first.to())
            + " for: "
            + described(first)
            + (same.size() == 1 ? "" : " · " + same.size() + " such calls"));
    tellWaiters(same, "");
  }

  /// Returns a cycle of calls: each waits for the next, and the last for the first.
  private List<WaitingCall> cycle(WaitingCall start) {
    List<WaitingCall> path = new ArrayList<>();
    WaitingCall call = start;
    while (!path.contains(call)) {
      path.add(call);
      call = causes(call).stream().filter(next -> !told.contains(next)).findFirst().orElse(start);
    }
    return path.subList(path.indexOf(call), path.size());
  }

  private void tellCycle(List<WaitingCall> cycle) {
    told.addAll(cycle);
    lines.add("deadlock: each of these waits for the next, and the last for the first");
    for (WaitingCall call : cycle) {
      lines.add("● " + described(call) + " · " + time(call.forMs()));
      tellWaiters(List.of(call), "");
    }
  }

  /// Returns the callers of the given calls and of all calls that wait for them, directly or
  /// indirectly.
  private Set<String> workersBehind(Collection<WaitingCall> causes) {
    Set<WaitingCall> behind = new LinkedHashSet<>(causes);
    List<WaitingCall> open = new ArrayList<>(causes);
    while (!open.isEmpty()) {
      for (WaitingCall waiter : waiters(open.removeLast())) {
        if (behind.add(waiter)) {
          open.add(waiter);
        }
      }
    }
    return behind.stream().map(call -> call.id().from()).collect(Collectors.toSet());
  }

  private String subject(Set<String> waiting, String cause) {
    boolean isEverybody =
        waiting.size() > 1
            && world.workers().stream()
                .map(WorkerStatus::worker)
                .allMatch(name -> waiting.contains(name) || name.equals(cause));
    if (isEverybody) {
      return "everybody waits";
    }
    return waiting.size() == 1
        ? waiting.iterator().next() + " waits"
        : waiting.size() + " of " + world.workers().size() + " workers wait";
  }

  /// Adds lines for all callers and calls that wait for any of these calls, as one list.
  private void tellWaiters(List<WaitingCall> same, String indent) {
    List<Branch> branches = same.stream().flatMap(call -> branches(call).stream()).toList();
    for (int i = 0; i < branches.size(); i++) {
      Branch branch = branches.get(i);
      boolean isLast = i == branches.size() - 1;
      lines.add(indent + (isLast ? "└─ " : "├─ ") + branch.line());
      tellWaiters(branch.waiting(), indent + (isLast ? "   " : "│  "));
    }
  }

  /// Returns a branch for the caller, unless one of the waiting calls made this call, followed by a
  /// branch for each call that waits for this call and has no line yet.
  private List<Branch> branches(WaitingCall call) {
    List<Branch> branches = new ArrayList<>();
    if (waiters(call).stream().noneMatch(waiter -> waiter.hasMade(call))) {
      branches.add(new Branch(caller(call), List.of()));
    }
    for (WaitingCall waiter : waiters(call)) {
      if (told.add(waiter)) {
        String line = described(waiter) + " · " + time(waiter.forMs());
        branches.add(new Branch(line, List.of(waiter)));
      }
    }
    return branches;
  }

  /// A line of the tree.
  ///
  /// @param waiting the calls whose waiters are listed below this line
  private record Branch(String line, List<WaitingCall> waiting) {}

  private static String caller(WaitingCall call) {
    AwaitedCall awaited = call.awaited();
    ThreadStatus thread = awaited == null ? null : awaited.thread();
    String where = thread == null ? "" : described(thread);
    return call.id().from() + where + " · " + time(call.forMs());
  }

  private String described(WaitingCall call) {
    return call.to() + " · " + call.method() + state(call);
  }

  private String state(WaitingCall call) {
    ServingCall serving = call.serving();
    if (serving == null) {
      return world.silent().contains(call.to())
          ? " · " + call.to() + " does not answer"
          : " · its request or its answer is in transit";
    }
    if (call.isWaitingForRoom()) {
      return " · queued";
    }
    ThreadStatus thread = serving.thread();
    return thread == null ? " · waits for a future" : described(thread);
  }

  private static String described(ThreadStatus thread) {
    String place = thread.place();
    return " · thread " + thread.name() + (place.isEmpty() ? "" : " · at " + place);
  }

  private static String time(long millis) {
    return millis < 1000 ? millis + " ms" : "%d.%d s".formatted(millis / 1000, millis / 100 % 10);
  }
}
