// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.worker;

import dev.tensorbus.rpc.Call;
import dev.tensorbus.rpc.CallOptions;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.RemoteFunction.V1;
import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.call.CallContext;
import dev.tensorbus.rpc.call.CallSender;
import dev.tensorbus.rpc.call.Target;
import dev.tensorbus.rpc.call.caller.PendingCalls;
import dev.tensorbus.rpc.graph.Recording;
import dev.tensorbus.rpc.reference.HeldFork;
import dev.tensorbus.rpc.reference.LeakReport;
import dev.tensorbus.rpc.reference.References;
import dev.tensorbus.rpc.thread.Platform;
import dev.tensorbus.rpc.thread.execution.VirtualThreads;
import dev.tensorbus.rpc.thread.time.Deadline;
import dev.tensorbus.rpc.wire.Sender;
import dev.tensorbus.rpc.world.membership.DepartureCause;
import dev.tensorbus.rpc.world.membership.Member;
import dev.tensorbus.rpc.world.membership.Membership;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Lets a worker leave, either when all work is done or at once, and handles the goodbyes of other
/// workers.
final class ShutdownProtocol {
  private static final CallOptions GOODBYE =
      CallOptions.timeout(Duration.ofSeconds(1)).withRetry(Duration.ofMillis(100));

  private final Membership membership;
  private final PendingCalls pending;
  private final CallSender calls;
  private final ShutdownBarrier barrier;
  private final References references;
  private final Disconnection disconnection;
  private final RpcOptions options;
  private final Platform platform;

  /// The workers that have left because all work was done.
  private final Set<Sender> atTheirEnd = ConcurrentHashMap.newKeySet();

  /// The references that were open when all work was done, or null before that.
  private final AtomicReference<@Nullable List<HeldFork>> openAtTheEnd = new AtomicReference<>();

  private @Nullable Future<Void> departure;

  /// Whether nothing more is expected of other workers, so that a worker that leaves is not missed.
  private volatile boolean ended;

  ShutdownProtocol(
      Membership membership,
      PendingCalls pending,
      CallSender calls,
      ShutdownBarrier barrier,
      References references,
      Disconnection disconnection,
      RpcOptions options,
      Platform platform) {
    this.membership = membership;
    this.pending = pending;
    this.calls = calls;
    this.barrier = barrier;
    this.references = references;
    this.disconnection = disconnection;
    this.options = options;
    this.platform = platform;
  }

  private WorkerInfo self() {
    return membership.self().info();
  }

  /// Returns whether this worker still needs a worker that has left.
  boolean misses(Sender gone) {
    return !ended && !atTheirEnd.contains(gone);
  }

  /// Returns whether this worker has finished all its work or is leaving for another reason.
  boolean hasEnded() {
    return ended;
  }

  /// Implements [dev.tensorbus.rpc.Rpc#shutdown].
  synchronized Future<Void> shutdown(Duration limit) {
    if (departure != null) {
      return departure;
    }
    return platform
        .threads()
        .run("tensorbus-shutdown-" + self(), () -> awaitEnd(limit))
        .eventually(this::leave);
  }

  private void awaitEnd(Duration limit) {
    if (options.isDynamic()) {
      VirtualThreads.await(pending.none(), limit, () -> barrier.unanswered(limit));
    } else {
      Deadline end = Deadline.after(limit, platform.clock());
      // Otherwise the shutdown would not wait for workers that have not joined yet.
      VirtualThreads.await(
          membership.ready().otherwiseEmpty(),
          limit,
          () -> "shutdown: not all workers joined within " + limit);
      barrier.await(limit, end);
      // The barrier may see that a worker is gone before it counts as lost.
      VirtualThreads.await(
          membership.departuresTold(),
          end.left(),
          () -> "shutdown: a listener of a lost worker has not returned within " + limit);
      ended = true;
    }
    new LeakReport(self()).publish(options.leakCheck(), openAtTheEnd());
  }

  /// Returns the references that are open once all work is done. They are collected before the
  /// first worker leaves, since references to its objects are dropped when it leaves.
  private List<HeldFork> openAtTheEnd() {
    openAtTheEnd.compareAndSet(null, references.held().all());
    return Objects.requireNonNull(openAtTheEnd.get());
  }

  /// Implements [dev.tensorbus.rpc.Rpc#leave].
  synchronized Future<Void> leave() {
    if (departure == null) {
      departure = goAway();
    }
    return departure;
  }

  private Future<Void> goAway() {
    boolean atTheEnd = ended;
    ended = true;
    Call<Void> goodbye = Call.of((V1<Boolean>) ShutdownProtocol::goodbye, atTheEnd);
    List<WorkerInfo> others = membership.isEvicted() ? List.of() : membership.workers();
    List<Future<Void>> goodbyes =
        others.stream()
            .filter(worker -> !worker.equals(self()))
            .map(worker -> sayGoodbye(worker, goodbye))
            .toList();
    // When all workers leave, none may be left to answer.
    Future<?> heard = atTheEnd ? Future.succeededFuture() : Future.join(goodbyes);
    return heard.eventually(disconnection::run).<Void>mapEmpty().otherwiseEmpty();
  }

  /// Sends a goodbye outside of this thread's autograd context, which an unanswered call would
  /// invalidate.
  private Future<Void> sayGoodbye(WorkerInfo worker, Call<Void> goodbye) {
    Target target = Target.worker(worker.name());
    return Recording.outside(() -> calls.send(target, goodbye.with(GOODBYE)));
  }

  /// Records that the caller is about to leave.
  ///
  /// @param atTheEnd whether all workers are leaving, in which case none counts as lost
  @Remote
  static void goodbye(Boolean atTheEnd) {
    CallContext call = CallContext.current();
    Membership membership = CallContext.part(Membership.class);
    Member gone = membership.member(call.caller().name());
    if (gone != null && gone.sender().equals(call.sender())) {
      if (atTheEnd) {
        ShutdownProtocol mine = CallContext.part(ShutdownProtocol.class);
        mine.openAtTheEnd();
        mine.atTheirEnd.add(gone.sender());
      }
      membership.remove(gone, DepartureCause.GOODBYE);
    }
  }
}
