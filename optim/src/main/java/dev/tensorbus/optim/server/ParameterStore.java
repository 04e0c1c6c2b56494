// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.optim.NonFiniteGradientException;
import dev.tensorbus.optim.Optimizer;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.OptimizerState;
import dev.tensorbus.optim.OptimizerState.Memory;
import dev.tensorbus.optim.server.client.ServerCalls;
import dev.tensorbus.optim.server.client.ShardClient;
import dev.tensorbus.optim.server.client.SlotClient;
import dev.tensorbus.optim.server.client.StateClient;
import dev.tensorbus.optim.server.consistency.Consistency;
import dev.tensorbus.optim.server.replica.GroupSettings;
import dev.tensorbus.optim.server.slot.Life;
import dev.tensorbus.optim.update.FiniteCheck;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.thread.Platform;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// A trainer's view of parameters that live on [ParameterServer]s. The trainer has a model of its
/// own, pulls the newest values into it, and pushes the gradients that it computes:
///
/// ```java
/// var store = ParameterStore.join(rpc, net, new Sgd(0.1), StoreOptions.of("worker0"));
/// for (Batch batch : batches) {
///   store.pull().await();
///   Tensor loss = Losses.crossEntropy(net.forward(batch.inputs()), batch.targets());
///   loss.backward();
///   store.push(batch.size()).await();
/// }
/// ```
///
/// With [StoreOptions#withShards], a step combines one push of each part of the data instead of one
/// of each trainer. Then a trainer asks which parts it has to compute:
///
/// ```java
/// while (store.step() < 1000) {
///   for (int shard : store.pullShards().await()) {
///     Batch batch = batches.get(store.step(), shard);
///     Losses.crossEntropy(net.forward(batch.inputs()), batch.targets()).backward();
///     store.pushShard(shard, batch.size());
///   }
/// }
/// ```
///
/// The first trainer's values are the first values. [StoreOptions#consistency] decides how pushes
/// become steps, and how far a trainer may run ahead of the others. If a server dies, requests wait
/// until another one has its parameters; a push becomes part of one step even if it has to be
/// repeated. Buffers, such as the statistics of batch normalization, stay with each trainer.
///
/// If no server answers within [StoreOptions#patience], or all servers of a parameter have died,
/// futures fail with an exception whose message says what to do. [#join] and [#close] wait for the
/// servers, so they must not be called on an event loop.
///
/// Not thread-safe: a trainer makes one request after another.
///
/// @param <L> the type of the model
public final class ParameterStore<L extends Layer> implements AutoCloseable {
  private final Rpc rpc;
  private final L model;
  private final Life self;
  private final Platform platform;
  private final SlotClient client;
  private final @Nullable ShardClient shards;
  private final StateClient states;
  private final String group;
  private final int shardCount;

  /// The servers' optimizer, if this trainer takes local steps.
  private final @Nullable LocalSteps localSteps;

  private final @Nullable LocalRound round;
  private OptimizerSpec optimizer;
  private long step;
  private SortedSet<Integer> open = new TreeSet<>();

  private ParameterStore(Rpc rpc, L model, OptimizerSpec optimizer, StoreOptions options) {
    this.rpc = rpc;
    this.model = model;
    this.optimizer = optimizer;
    platform = Platform.ofSystem("store-" + rpc.self().name());
    self = new Life(rpc.self().name(), platform.random().nextLong());
    Map<String, Tensor> parameters = parameters();
    localSteps = options.localSteps();
    round = localSteps == null ? null : new LocalRound(localSteps, parameters, optimizer);
    ServerCalls calls = new WorkerCalls(rpc, platform, options.servers());
    GroupSettings settings = options.settings(parameters, optimizer);
    client = new SlotClient(self, settings, parameters, calls, options.patience());
    states = new StateClient(client);
    group = options.group();
    shardCount = options.shards();
    shards = shardCount > 0 ? new ShardClient(client) : null;
  }

  /// Joins the trainers of a group of parameters, and waits until the servers know it.
  ///
  /// @param model the model, whose parameters that require a gradient are the group's
  /// @throws dev.tensorbus.rpc.RemoteException if another trainer has joined with another model or
  ///     other options
  public static <L extends Layer> ParameterStore<L> join(
      Rpc rpc, L model, OptimizerSpec optimizer, StoreOptions options) {
    ParameterStore<L> store = new ParameterStore<>(rpc, model, optimizer, options);
    StaleMomentum.warn(store.serverOptimizer(), options.consistency());
    try {
      store.client.join(store.parameters()).await();
      return store;
    } catch (RuntimeException | Error e) {
      store.platform.clock().stop();
      throw e;
    }
  }

  private Map<String, Tensor> parameters() {
    return StoreOptions.parametersOf(model);
  }

  /// Returns this trainer's model.
  public L model() {
    return model;
  }

  /// Returns the name of the group of parameters.
  public String group() {
    return group;
  }

  /// Returns the worker of this trainer.
  public Rpc rpc() {
    return rpc;
  }

  /// Returns the settings of the servers' optimizer, which differ from [#optimizer] if this trainer
  /// takes local steps.
  public OptimizerSpec serverOptimizer() {
    return localSteps == null ? optimizer : localSteps.outer();
  }

  /// Returns the optimizer's settings for the next push.
  public OptimizerSpec optimizer() {
    return optimizer;
  }

  /// Sets the optimizer's settings for the following pushes, such as another learning rate. A step
  /// that combines several pushes has the settings of its first trainer in order of their names.
  public void setOptimizer(OptimizerSpec newOptimizer) {
    optimizer = newOptimizer;
  }

  /// Returns the number of shards whose pushes a step combines, or 0 if it combines the pushes of
  /// trainers.
  public int shards() {
    return shardCount;
  }

  /// Returns the number of steps before the values that [#pullShards] has loaded.
  public long step() {
    return step;
  }

  /// Returns whether the trainers have taken steps before the values that this one has last loaded.
  public boolean hasBegun() {
    return client.newest() > 1; // the first values are version 1
  }

  /// Waits until this trainer has to compute shards, or until the next step can begin, whose values
  /// it loads into the model.
  ///
  /// The shards must be computed in the returned order: the model's random numbers, such as those
  /// of dropout, are [seeded][Layer#manualSeed] for each of them, so that it does not matter which
  /// trainer computes it.
  ///
  /// @return a future of the shards that this trainer has to compute in [#step]; none if there are
  ///     more trainers than shards
  /// @throws IllegalStateException if the store has no shards
  public Future<SortedSet<Integer>> pullShards() {
    return sharded()
        .pull()
        .map(
            work -> {
              step = work.step();
              load(work.values());
              open = new TreeSet<>(work.shards());
              seed();
              return work.shards();
            });
  }

  /// Seeds the model's random numbers for the next shard.
  private void seed() {
    if (!open.isEmpty()) {
      model.manualSeed(step * shardCount + open.first());
    }
  }

  private ShardClient sharded() {
    if (shards == null) {
      throw new IllegalStateException(
          "this store has no shards; call pull and push, or join with StoreOptions.withShards");
    }
    return shards;
  }

  private void requireNoShards() {
    if (shards != null) {
      throw new IllegalStateException(
          "this store has %d shards; call pullShards and pushShard".formatted(shardCount));
    }
  }

  private void load(Map<String, Tensor> changed) {
    parameters()
        .forEach((name, parameter) -> parameter.replace(now -> changed.getOrDefault(name, now)));
  }

  /// Pushes the gradients of the model for a shard of the current step, and clears them. Does not
  /// wait for the step; if the push fails, the next [#pullShards] does.
  ///
  /// @param examples the number of examples in the mean loss, which is the gradients' weight in the
  ///     step; 0 if unknown
  /// @throws ModelServerException if a gradient is not finite; then nothing is pushed
  /// @throws IllegalStateException if the store has no shards
  public void pushShard(int shard, int examples) {
    sharded().push(shard, optimizer, takeGradients(), examples);
    open.remove(shard);
    seed();
  }

  /// Loads the values that have changed into the model. Under `bsp`
  /// without backup workers, they are the values after one step.
  ///
  /// Does nothing between [local steps][StoreOptions#withLocalSteps].
  public Future<Void> pull() {
    requireNoShards();
    if (round != null && round.isRunning()) {
      return Future.succeededFuture();
    }
    return client
        .pull()
        .map(
            changed -> {
              load(round == null ? changed : client.values()); // local steps have changed all
              if (round != null) {
                round.begin();
              }
              return null;
            });
  }

  /// Waits for the step after the values that [#pull] has loaded, also while this trainer computes
  /// its gradients. With `bsp:B` and quorums, the others may take the step without this trainer.
  /// Its push would be dropped then, and it may save itself the rest of its work:
  ///
  /// ```java
  /// store.pull().await();
  /// Future<Void> step = store.nextStep();
  /// for (Batch part : parts) {
  ///   if (step.isComplete()) {
  ///     net.zeroGrad();
  ///     break;
  ///   }
  ///   // forward and backward
  /// }
  /// store.push(examples).await();
  /// ```
  ///
  /// @return a future that completes when all servers have taken the step
  public Future<Void> nextStep() {
    requireNoShards();
    return client.nextStep();
  }

  /// Pushes the gradients of the model, and clears them. A parameter without a gradient has the
  /// gradient 0; if none has one, this trainer takes part in the step without changing it.
  ///
  /// @param examples the number of examples in the mean loss, which is the gradients' weight in a
  ///     step that combines several pushes; 0 if unknown
  /// @return a future that completes when the gradients are part of a step on all replicas and this
  ///     trainer may continue. It fails if a gradient is not finite; then nothing is pushed
  public Future<Void> push(int examples) {
    requireNoShards();
    try {
      return round == null
          ? client.push(optimizer, takeGradients(), examples).mapEmpty()
          : stepAlone(round, examples);
    } catch (ModelServerException | NonFiniteGradientException e) {
      return Future.failedFuture(e);
    }
  }

  /// Takes a local step. Pushes the difference if it was the last one of a round.
  private Future<Void> stepAlone(LocalRound round, int examples) {
    boolean isLast = round.step(optimizer, examples);
    model.zeroGrad();
    return isLast
        ? client.push(serverOptimizer(), round.takeDifferences(), round.examples()).mapEmpty()
        : Future.succeededFuture();
  }

  /// Returns the gradients of the model, and clears them. Returns none if no parameter has one.
  private Map<String, Tensor> takeGradients() {
    requireFinite();
    Map<String, Tensor> gradients = new LinkedHashMap<>();
    Map<String, Tensor> parameters = parameters();
    if (parameters.values().stream().anyMatch(parameter -> parameter.grad() != null)) {
      parameters.forEach((name, parameter) -> gradients.put(name, gradient(parameter)));
    }
    model.zeroGrad();
    return gradients;
  }

  /// Checks the gradients of the model, as each push does. Useful before the first of several
  /// pushes to different groups.
  ///
  /// @throws ModelServerException if a gradient is not finite
  public void requireFinite() {
    parameters()
        .forEach(
            (name, parameter) -> {
              Tensor gradient = parameter.grad();
              if (gradient != null && !FiniteCheck.isFinite(gradient)) {
                throw new ModelServerException(
                    ModelServerException.Reason.NON_FINITE_GRADIENT,
                    "gradient \"%s\" has NaN or infinite values; expected finite values; skip this"
                            .formatted(name)
                        + " step");
              }
            });
  }

  private static Tensor gradient(Tensor parameter) {
    Tensor gradient = parameter.grad();
    return gradient == null ? Tensor.full(parameter.shape(), parameter.dtype(), 0) : gradient;
  }

  /// Returns the optimizer of this trainer's local steps, if it takes some.
  public Optional<Optimizer> localOptimizer() {
    return Optional.ofNullable(round).map(LocalRound::optimizer);
  }

  /// Returns whether this trainer has taken local steps that it has yet to push.
  public boolean hasLocalSteps() {
    return round != null && round.isRunning();
  }

  /// Changes the consistency of the group while training continues: from `bsp` or `ssp:T` to one of
  /// these. Any trainer may do so once all have joined; if several do, all slots end with the same
  /// one. Trainers that join later are still given the first one in their options.
  ///
  /// Until all slots know it, the stricter one holds: a trainer continues when all slots let it. A
  /// trainer that is too far ahead then waits after its next push.
  ///
  /// @param text the new one
  /// @return a future that completes when all slots have it, on all replicas. If it fails, some may
  ///     have it: change it again
  public Future<Void> setConsistency(String text) {
    Consistency next = Consistency.parse(text);
    StaleMomentum.warn(serverOptimizer(), next);
    return client.setConsistency(next);
  }

  /// Returns whether this trainer is the first of the present trainers of the world, in order of
  /// their names.
  public Future<Boolean> isFirst() {
    return states.isFirst();
  }

  /// Fetches the state of the servers' optimizer, and loads the values that belong to it into the
  /// model. If the trainers step together, these are the values that the model has, provided that
  /// this trainer has yet to push gradients of them.
  ///
  /// @return a future of the state, in the order of the model's parameters. It fails with an
  ///     [IllegalStateException] if the trainers have gone on without this one
  /// @throws IllegalStateException if this trainer has local steps to push
  public Future<OptimizerState> pullState() {
    if (hasLocalSteps()) {
      throw new IllegalStateException("pullState: push the local steps of this trainer first");
    }
    return states
        .pull()
        .map(
            state -> {
              load(state.values());
              Memory none = new Memory(0, Map.of()); // of parameters that are not on the servers
              List<Memory> memories =
                  model.namedParameters().keySet().stream()
                      .map(name -> state.memories().getOrDefault(name, none))
                      .toList();
              return new OptimizerState(
                  List.of(new OptimizerState.Group(serverOptimizer(), null, memories)));
            });
  }

  /// Lets the trainers begin with the values of this model and with a state of [#pullState], both
  /// of an earlier run. All trainers should do so before their first push: the first one restores
  /// the run. Does nothing if the trainers have begun already. Afterwards, pull.
  ///
  /// @param steps the number of steps of the earlier run, local ones included
  /// @return a future that fails if the trainers have begun with other values
  public Future<Void> restore(OptimizerState state, long steps) {
    Map<String, Memory> memories = new LinkedHashMap<>();
    int place = 0;
    for (String name : model.namedParameters().keySet()) {
      memories.put(name, state.groups().getFirst().memories().get(place++));
    }
    if (shards != null) {
      shards.restart();
    }
    long pushed = localSteps == null ? steps : steps / localSteps.steps();
    return states.restore(
        new StateClient.State(pushed, parameters(), memories), state.groups().getFirst().spec());
  }

  /// Leaves the group, so that no trainer waits for this one. Waits until the servers know it.
  @Override
  public void close() {
    try {
      client.leave().await();
    } finally {
      platform.clock().stop();
    }
  }
}
