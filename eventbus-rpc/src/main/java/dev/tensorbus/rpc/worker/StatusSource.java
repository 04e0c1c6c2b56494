// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.worker;

import dev.tensorbus.rpc.FunctionName;
import dev.tensorbus.rpc.Lane;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.call.CallContext;
import dev.tensorbus.rpc.call.callee.IncomingCall;
import dev.tensorbus.rpc.call.caller.PendingCall;
import dev.tensorbus.rpc.observe.status.AwaitedCall;
import dev.tensorbus.rpc.observe.status.CallId;
import dev.tensorbus.rpc.observe.status.PeerStatus;
import dev.tensorbus.rpc.observe.status.ServingCall;
import dev.tensorbus.rpc.observe.status.ServingCall.State;
import dev.tensorbus.rpc.observe.status.ThreadStatus;
import dev.tensorbus.rpc.observe.status.WorkerStatus;
import dev.tensorbus.rpc.thread.time.Stopwatch;
import dev.tensorbus.rpc.world.membership.ClusterNode;
import dev.tensorbus.rpc.world.membership.Member;
import dev.tensorbus.rpc.world.membership.MembershipListeners;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Reads the state of a worker ([dev.tensorbus.rpc.Rpc#status]) from its tables. Waits for no
/// thread of the worker, and so works even if all of the worker's threads hang.
final class StatusSource {
  private static final int MOST_CALLS = 64;

  /// The classes whose calls are not reported. A worker that is shutting down uses them to ask,
  /// again and again, whether the others are done.
  private static final Set<String> LEAVING =
      Set.of(ShutdownBarrier.class.getName(), ShutdownProtocol.class.getName());

  private final WorkerBase base;
  private final DebugInfo info;
  private final String host;
  private final Stopwatch sinceOpened = Stopwatch.start();
  private final Set<String> lost = new ConcurrentSkipListSet<>();

  StatusSource(WorkerBase base, DebugInfo info, MembershipListeners listeners) {
    this.base = base;
    this.info = info;
    host = ClusterNode.of(base.vertx).address();
    listeners.onLost(gone -> lost.add(gone.name()));
    listeners.onJoined(newcomer -> lost.remove(newcomer.name()));
  }

  /// Returns the current status. May be called on any thread; does not block.
  WorkerStatus now() {
    WorkerInfo self = base.self().info();
    return new WorkerStatus(
        self.name(),
        self.id(),
        host,
        ProcessHandle.current().pid(),
        millis(sinceOpened.nanos()),
        info.now(),
        info.sentBytes(),
        base.membership.members().stream().filter(this::isOther).map(this::peer).toList(),
        calls(),
        serving(),
        List.copyOf(lost));
  }

  private static long millis(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }

  private boolean isOther(Member member) {
    return !member.sender().equals(base.self());
  }

  private PeerStatus peer(Member member) {
    Lane lane = base.lanes.lane(member.sender());
    return new PeerStatus(
        member.info().name(),
        lane == null ? "bus" : lane == Lane.SOCKET ? "socket" : "shared memory",
        base.detector.silenceMillis(member.sender()),
        base.transport.sentBytes(member.sender()) + base.lanes.sentBytes(member.sender()));
  }

  private static boolean isOfInterest(FunctionName function) {
    return !LEAVING.contains(function.type());
  }

  private List<AwaitedCall> calls() {
    return base.pending.waiting().stream()
        .filter(call -> isOfInterest(call.function()))
        .sorted(Comparator.<PendingCall<?>>comparingLong(PendingCall::elapsed).reversed())
        .limit(MOST_CALLS)
        .map(StatusSource::awaited)
        .toList();
  }

  private static AwaitedCall awaited(PendingCall<?> call) {
    CallContext within = call.within();
    return new AwaitedCall(
        call.target().worker(),
        call.function().toString(),
        call.number(),
        millis(call.elapsed()),
        thread(call.waiter()),
        within == null ? null : new CallId(within.caller().name(), within.head().call()));
  }

  private List<ServingCall> serving() {
    return Stream.concat(
            served(base.served.runningCalls(), State.RUNNING),
            served(base.served.waitingCalls(), State.WAITING))
        .toList();
  }

  private static Stream<ServingCall> served(List<IncomingCall> calls, State state) {
    return calls.stream()
        .filter(call -> isOfInterest(call.head().function()))
        .sorted(Comparator.comparingLong(IncomingCall::elapsed).reversed())
        .limit(MOST_CALLS)
        .map(
            call ->
                new ServingCall(
                    call.caller().info().name(),
                    call.head().function().toString(),
                    call.number(),
                    millis(call.elapsed()),
                    state,
                    thread(call.thread())));
  }

  private static @Nullable ThreadStatus thread(@Nullable Thread thread) {
    return thread == null ? null : ThreadStatus.of(thread);
  }
}
