// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.eventbus;

import dev.tensorbus.rpc.Call;
import dev.tensorbus.rpc.CallOptions;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.RemoteFunction.V1;
import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.rpc.membership.Member;
import dev.tensorbus.rpc.pending.VirtualThreads;
import dev.tensorbus.rpc.wire.Sender;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// How a worker leaves: when all is done, or at once; and how it takes that others leave.
final class Farewell {
  private static final CallOptions GOODBYE = CallOptions.timeout(Duration.ofSeconds(1));

  private final EventBusRpc rpc;
  private final ShutdownBarrier barrier;
  private final RpcOptions options;

  /// Who has left because all is done.
  private final Set<Sender> atTheirEnd = ConcurrentHashMap.newKeySet();

  private @Nullable Future<Void> departure;

  /// Whether nothing more is expected of others: whoever leaves now does what it should.
  private volatile boolean ended;

  Farewell(EventBusRpc rpc, ShutdownBarrier barrier, RpcOptions options) {
    this.rpc = rpc;
    this.barrier = barrier;
    this.options = options;
  }

  /// Whether this worker misses one that has left.
  boolean misses(Sender gone) {
    return !ended && !atTheirEnd.contains(gone);
  }

  /// See [dev.tensorbus.rpc.Rpc#shutdown].
  synchronized Future<Void> shutdown(Duration limit) {
    if (departure != null) {
      return departure;
    }
    return VirtualThreads.run("tensorbus-shutdown-" + rpc.self(), () -> awaitEnd(limit))
        .eventually(this::leave);
  }

  private void awaitEnd(Duration limit) {
    if (options.isDynamic()) {
      VirtualThreads.await(rpc.pending().none(), limit, () -> barrier.unanswered(limit));
    } else {
      VirtualThreads.await(rpc.ready().otherwiseEmpty()); // or some would not be waited for
      barrier.await(limit);
      ended = true;
    }
    new LeakReport(rpc).publish(options.leakCheck(), rpc.references().held().all());
  }

  /// See [dev.tensorbus.rpc.Rpc#leave].
  synchronized Future<Void> leave() {
    if (departure == null) {
      departure = goAway();
    }
    return departure;
  }

  private Future<Void> goAway() {
    boolean atTheEnd = ended;
    ended = true;
    Call<Void> goodbye = Call.of((V1<Boolean>) Farewell::goodbye, atTheEnd);
    List<Future<Void>> goodbyes =
        rpc.workers().stream()
            .filter(worker -> !worker.equals(rpc.self()))
            .map(worker -> rpc.send(worker.name(), goodbye.with(GOODBYE)))
            .toList();
    // At the end of the world nobody may be left to answer.
    Future<?> heard = atTheEnd ? Future.succeededFuture() : Future.join(goodbyes);
    return heard.eventually(rpc::disconnect).<Void>mapEmpty().otherwiseEmpty();
  }

  /// Takes it that the caller is about to leave.
  ///
  /// @param atTheEnd whether all are to leave: then nobody is lost
  @Remote
  static void goodbye(Boolean atTheEnd) {
    CallContext call = CallContext.current();
    EventBusRpc rpc = call.rpc();
    Member gone = rpc.membership().member(call.caller().name());
    if (gone != null && gone.sender().equals(call.call().caller())) {
      if (atTheEnd) {
        rpc.farewell().atTheirEnd.add(gone.sender());
      }
      rpc.membership().remove(gone);
    }
  }
}
