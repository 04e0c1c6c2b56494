// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.worker;

import dev.tensorbus.rpc.Call;
import dev.tensorbus.rpc.CallOptions;
import dev.tensorbus.rpc.EvictedException;
import dev.tensorbus.rpc.NoSuchWorkerException;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.RemoteFunction.A1;
import dev.tensorbus.rpc.RemoteFunction.F0;
import dev.tensorbus.rpc.RpcException;
import dev.tensorbus.rpc.RpcTimeoutException;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.call.CallContext;
import dev.tensorbus.rpc.call.CallSender;
import dev.tensorbus.rpc.call.Target;
import dev.tensorbus.rpc.call.caller.PendingCalls;
import dev.tensorbus.rpc.group.Round;
import dev.tensorbus.rpc.thread.execution.VirtualThreads;
import dev.tensorbus.rpc.thread.time.Deadline;
import dev.tensorbus.rpc.thread.time.TimeLimit;
import dev.tensorbus.rpc.world.membership.Membership;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CancellationException;

/// Detects when no worker of the world has anything left to do, so that all may leave.
///
/// When a worker has no pending calls, it reports how many calls it has sent to the coordinator,
/// which is the live worker with the lowest rank. If all live workers report the same numbers as in
/// the previous wave of reports, no worker made a call in between, and all may leave; otherwise
/// another wave follows (Mattern, "Algorithms for distributed termination detection", 1987: the
/// four-counter method, counting calls instead of messages).
final class ShutdownBarrier {
  private static final CallOptions REPEATED = CallOptions.DEFAULT.withRetry(Duration.ofMillis(200));

  /// A coordinator that is silent for this long may have left, and its answer and goodbye may have
  /// been lost.
  private static final Duration SILENCE = Duration.ofSeconds(1);

  private final Membership membership;
  private final PendingCalls pending;
  private final CallSender calls;
  private final WorkerInfo self;

  /// The current wave: one report from each live worker, keyed by rank.
  private final Round<Integer, Long, Boolean> wave;

  /// The reports of the previous wave. Guarded by [#wave].
  private Map<Integer, Long> lastWave = Map.of();

  private long reportsSent;

  ShutdownBarrier(Membership membership, PendingCalls pending, CallSender calls) {
    this.membership = membership;
    this.pending = pending;
    this.calls = calls;
    this.self = membership.self().info();
    this.wave = new Round<>(this::isFull, this::mayLeave);
  }

  private boolean isFull(Collection<Integer> reported) {
    return membership.workers().stream().allMatch(worker -> reported.contains(worker.id()));
  }

  /// Returns whether no worker has made a call since the previous wave.
  private boolean mayLeave(SortedMap<Integer, Long> sent) {
    boolean isQuiet = sent.equals(lastWave);
    lastWave = sent;
    return isQuiet;
  }

  /// Blocks until all work has ended.
  ///
  /// @param limit the timeout, which expires at `end`; for the error message
  /// @throws RpcTimeoutException if the work does not end in time; the message names the workers
  ///     that are not done
  void await(Duration limit, Deadline end) {
    boolean mayLeave = false;
    while (!mayLeave) {
      Duration left = end.left();
      VirtualThreads.await(pending.none(), left, () -> unanswered(limit));
      OptionalLong sent = pending.sentIfNoneWaits(); // absent if another call has been sent
      mayLeave = sent.isPresent() && report(sent.getAsLong() - reportsSent, left, limit);
    }
  }

  /// Returns the message for a timeout caused by this worker's own calls.
  String unanswered(Duration limit) {
    return "shutdown: %d unanswered calls of %s%s".formatted(pending.size(), self, within(limit));
  }

  private boolean report(long sent, Duration left, Duration limit) {
    reportsSent++;
    String coordinator = membership.workers().getFirst().name();
    Call<Boolean> report = Call.of((A1<Long, Boolean>) ShutdownBarrier::arrive, sent);
    boolean isLast = left.compareTo(SILENCE) <= 0;
    try {
      Duration time = isLast ? left : SILENCE;
      return calls.call(Target.worker(coordinator), report.with(REPEATED.withTimeout(time)));
    } catch (NoSuchWorkerException e) {
      return false; // the next lowest rank takes over
    } catch (RpcTimeoutException e) {
      if (!isLast) {
        membership.forgetIfGone(coordinator);
        return false; // the next report goes to this coordinator or its successor
      }
      throw new RpcTimeoutException(
          "shutdown: not done%s: %s".formatted(within(limit), missingAt(coordinator)));
    }
  }

  private static String within(Duration limit) {
    return limit.equals(TimeLimit.NONE) ? "" : " within " + limit;
  }

  private String missingAt(String coordinator) {
    Call<List<String>> missing = Call.of((F0<List<String>>) ShutdownBarrier::missing);
    try {
      CallOptions hurried = CallOptions.timeout(Duration.ofSeconds(1));
      return String.join(", ", calls.call(Target.worker(coordinator), missing.with(hurried)));
    } catch (EvictedException e) {
      throw e; // a frozen worker's call may time out before its eviction is noticed
    } catch (RpcException e) {
      return coordinator;
    }
  }

  /// Returns the names of the workers that have not reported in this wave.
  @Remote
  static List<String> missing() {
    return CallContext.part(ShutdownBarrier.class).missingNow();
  }

  private List<String> missingNow() {
    Set<Integer> reported = wave.arrived();
    return membership.workers().stream()
        .filter(worker -> !reported.contains(worker.id()))
        .map(WorkerInfo::name)
        .toList();
  }

  /// Handles a worker's report. The answer is whether the worker may leave.
  @Remote
  static Future<Boolean> arrive(Long sent) {
    int worker = CallContext.current().caller().id();
    Future<Boolean> mayLeave = CallContext.part(ShutdownBarrier.class).wave.add(worker, sent);
    return mayLeave.recover(ShutdownBarrier::reportAgain);
  }

  /// Requests another report if a second report of the same worker replaced this one. The second
  /// may be an older one that arrived late and for which the worker no longer waits.
  private static Future<Boolean> reportAgain(Throwable error) {
    return error instanceof CancellationException
        ? Future.succeededFuture(false)
        : Future.failedFuture(error);
  }

  /// Makes the wave ignore a worker that has left.
  void workerLost(WorkerInfo worker) {
    wave.withdraw(worker.id());
    wave.processIfFull();
  }
}
