// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import dev.tensorbus.rpc.CallOptions;
import dev.tensorbus.rpc.Calls;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.WorkerInfo;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// A trainer of a world with parameter servers. It needs no other worker in particular: if one is
/// lost, the others go on.
public abstract class StoreTrainer extends RpcWorker {
  private final WorkerOptions options;

  /// Whether this trainer has trained.
  private record End(Promise<Void> promise) {}

  /// Creates a trainer with these settings.
  protected StoreTrainer(WorkerOptions options) {
    super(Role.TRAINER, options);
    this.options = options;
  }

  @Override
  protected final boolean needs(WorkerInfo other) {
    return false;
  }

  @Override
  protected final void serve(Rpc rpc) {
    WorkerObjects.put(rpc, End.class, new End(Promise.promise()));
  }

  /// Waits for a majority of the servers and witnesses: a trainer that is started again does not
  /// wait for workers that are lost. The store waits until all servers have joined for the first
  /// time.
  @Override
  protected final Future<?> complete(Rpc rpc) {
    Ranks ranks = Ranks.of(options);
    Promise<Void> enough = Promise.promise();
    AtomicInteger missing = new AtomicInteger(ServerSettings.majority(options));
    List<Future<WorkerInfo>> awaited = new ArrayList<>();
    for (Role role : List.of(Role.PARAMETER_SERVER, Role.WITNESS)) {
      for (String name : ranks.names(role)) {
        awaited.add(
            rpc.awaitWorker(name, options.rendezvousTimeout())
                .onSuccess(
                    _ -> {
                      if (missing.decrementAndGet() == 0) {
                        enough.complete();
                      }
                    }));
      }
    }
    Future.join(awaited).onFailure(enough::tryFail); // if too few have joined when all have ended
    return Future.any(enough.future(), rpc.ready());
  }

  /// Returns the index of a trainer among all trainers, counted from 0.
  protected final int index(Rpc rpc) {
    return rpc.self().id() - Ranks.of(options).first(Role.TRAINER);
  }

  /// Returns the number of trainers.
  protected final int trainers() {
    return Ranks.of(options).names(Role.TRAINER).size();
  }

  /// Returns whether this trainer has the lowest rank of the live ones.
  protected final boolean isFirst(Rpc rpc) {
    return others(rpc).stream().noneMatch(other -> other.id() < rpc.self().id());
  }

  /// Called when this trainer has trained and left the store. Waits until the other live trainers
  /// have done so, too, those outside the world included.
  ///
  /// @return whether this trainer must evaluate the model
  protected final boolean finish(Rpc rpc) {
    WorkerObjects.await(rpc, End.class).promise().complete();
    Calls unlimited = rpc.with(CallOptions.DEFAULT.withoutTimeout());
    List<Future<Void>> ends = new ArrayList<>();
    others(rpc).forEach(other -> ends.add(unlimited.rpcAsync(other.name(), StoreTrainer::end)));
    Ranks.of(options)
        .names(Role.PARAMETER_SERVER)
        .forEach(server -> ends.add(unlimited.rpcAsync(server, ServerVerticle::outsideEnd)));
    Future.join(ends).otherwiseEmpty().await(); // those that are lost do not count
    return isFirst(rpc);
  }

  private List<WorkerInfo> others(Rpc rpc) {
    int first = Ranks.of(options).first(Role.TRAINER);
    return rpc.workers().stream()
        .filter(worker -> worker.id() >= first && !worker.equals(rpc.self()))
        .toList();
  }

  @Remote
  static Future<Void> end() {
    return WorkerObjects.await(Rpc.current(), End.class).promise().future();
  }
}
