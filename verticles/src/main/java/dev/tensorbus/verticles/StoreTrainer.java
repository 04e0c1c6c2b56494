// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import dev.tensorbus.models.data.DataLoader;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.optim.server.ParameterStore;
import dev.tensorbus.optim.training.Trainer;
import dev.tensorbus.rpc.CallOptions;
import dev.tensorbus.rpc.Calls;
import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.WorkerInfo;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// A trainer of a world with parameter servers. It needs no other worker in particular: if one is
/// lost, the others go on.
public abstract class StoreTrainer extends RpcWorker {
  private final WorkerOptions options;
  private final Progress progress;

  /// Whether this trainer has trained.
  private record End(Promise<Void> promise) {}

  /// Creates a trainer with these settings.
  ///
  /// @param progress receives its steps
  protected StoreTrainer(WorkerOptions options, Progress progress) {
    super(Role.TRAINER, options);
    this.options = options;
    this.progress = progress;
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

  /// Trains a model from a store, and waits until the other live trainers have done so, too, those
  /// outside the world included.
  ///
  /// @param join joins the trainers of the store
  /// @param training trains the model
  /// @return whether this trainer must evaluate the model, which then has the newest values
  protected final <L extends Layer> boolean train(
      Rpc rpc, Supplier<ParameterStore<L>> join, Consumer<ParameterStore<L>> training) {
    boolean isSharded; // then all trainers end with the same values
    try (var store = join.get()) {
      training.accept(store);
      isSharded = store.shards() > 0;
    }
    boolean evaluates = finish(rpc);
    if (evaluates && !isSharded) {
      try (var store = join.get()) {
        store.pull().await(); // the last steps of others
      }
    }
    return evaluates;
  }

  /// Lets a trainer, which has its schedules and listeners, follow the options: it reports its
  /// steps, computes on the device, and continues from the newest checkpoint.
  protected final void prepare(
      Trainer<?> trainer, ParameterStore<?> store, StoreCheckpoints checkpoints) {
    trainer.withProgress(progress);
    DeviceSettings.of(options).ifPresent(trainer::compiled);
    checkpoints.attach(trainer, store);
  }

  /// Returns the data of this trainer: its part of them or, if the store has shards, all of them,
  /// since the store decides who computes which.
  protected final <T, B> DataLoader<T, B> share(DataLoader<T, B> all, ParameterStore<?> store) {
    return store.shards() > 0 ? all : all.shard(index(store.rpc()), trainers());
  }

  /// Called when this trainer has trained and left the store. Waits for the others.
  ///
  /// @return whether this trainer must evaluate the model
  private boolean finish(Rpc rpc) {
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
