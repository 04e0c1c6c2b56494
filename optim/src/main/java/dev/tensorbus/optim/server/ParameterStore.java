// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.OptimizerState;
import dev.tensorbus.optim.server.client.ServerCalls;
import dev.tensorbus.optim.server.client.SlotClient;
import dev.tensorbus.optim.server.consistency.Consistency;
import dev.tensorbus.optim.server.replica.GroupSettings;
import dev.tensorbus.optim.server.replica.JoinRequest;
import dev.tensorbus.optim.server.replica.LeaveRequest;
import dev.tensorbus.optim.server.replica.PullAnswer;
import dev.tensorbus.optim.server.replica.PullRequest;
import dev.tensorbus.optim.server.replica.PushRequest;
import dev.tensorbus.optim.server.replica.SlotAnswer;
import dev.tensorbus.optim.server.slot.Life;
import dev.tensorbus.optim.server.slot.SlotMap;
import dev.tensorbus.optim.update.FiniteCheck;
import dev.tensorbus.rpc.CallOptions;
import dev.tensorbus.rpc.Calls;
import dev.tensorbus.rpc.NoSuchWorkerException;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcTimeoutException;
import dev.tensorbus.rpc.WorkerBusyException;
import dev.tensorbus.rpc.thread.Platform;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
/// The first trainer's values are the first values. [StoreOptions#consistency] decides how pushes
/// become steps, and how far a trainer may run ahead of the others. If a server dies, requests wait
/// until another one has its parameters; a push becomes part of one step even if it has to be
/// repeated. Buffers, such as the statistics of batch normalization, stay with each trainer.
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
  private final List<String> servers;
  private OptimizerSpec optimizer;

  private ParameterStore(Rpc rpc, L model, OptimizerSpec optimizer, StoreOptions options) {
    this.rpc = rpc;
    this.model = model;
    this.optimizer = optimizer;
    servers = options.servers();
    platform = Platform.ofSystem("store-" + rpc.self().name());
    self = new Life(rpc.self().name(), platform.random().nextLong());
    Map<String, Tensor> parameters = parameters();
    List<String> kinds =
        parameters.entrySet().stream()
            .map(entry -> entry.getKey() + " " + OptimizerState.kind(entry.getValue()))
            .toList();
    GroupSettings settings =
        new GroupSettings(
            options.group(),
            kinds,
            optimizer,
            options.consistency().toString(),
            options.trainers());
    client = new SlotClient(self, settings, parameters, new WorkerCalls(), options.patience());
  }

  /// Joins the trainers of a group of parameters, and waits until the servers know it.
  ///
  /// @param model the model, whose parameters that require a gradient are the group's
  /// @throws dev.tensorbus.rpc.RemoteException if another trainer has joined with another model or
  ///     other options
  public static <L extends Layer> ParameterStore<L> join(
      Rpc rpc, L model, OptimizerSpec optimizer, StoreOptions options) {
    ParameterStore<L> store = new ParameterStore<>(rpc, model, optimizer, options);
    try {
      store.client.join(store.parameters()).await();
      return store;
    } catch (RuntimeException | Error e) {
      store.platform.clock().stop();
      throw e;
    }
  }

  private Map<String, Tensor> parameters() {
    Map<String, Tensor> parameters = new LinkedHashMap<>();
    model
        .namedParameters()
        .forEach(
            (name, parameter) -> {
              if (parameter.requiresGrad()) {
                parameters.put(name, parameter);
              }
            });
    return parameters;
  }

  /// Returns this trainer's model.
  public L model() {
    return model;
  }

  /// Returns the worker of this trainer.
  public Rpc rpc() {
    return rpc;
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

  /// Loads the values that have changed into the model. Under [Consistency.Bsp]
  /// without backup workers, they are the values after one step.
  public Future<Void> pull() {
    return client
        .pull()
        .map(
            changed -> {
              parameters()
                  .forEach(
                      (name, parameter) ->
                          parameter.replace(now -> changed.getOrDefault(name, now)));
              return null;
            });
  }

  /// Pushes the gradients of the model, and clears them. A parameter without a gradient has the
  /// gradient 0; if none has one, this trainer takes part in the step without changing it.
  ///
  /// @param examples the number of examples in the mean loss, which is the gradients' weight in a
  ///     step that combines several pushes; 0 if unknown
  /// @return a future that completes when the gradients are part of a step on all replicas and this
  ///     trainer may continue. It fails if a gradient is not finite; then nothing is pushed
  public Future<Void> push(int examples) {
    Map<String, Tensor> gradients = new LinkedHashMap<>();
    Map<String, Tensor> parameters = parameters();
    if (parameters.values().stream().anyMatch(parameter -> parameter.grad() != null)) {
      parameters.forEach((name, parameter) -> gradients.put(name, gradient(parameter)));
    }
    Optional<String> notFinite =
        gradients.entrySet().stream()
            .filter(entry -> !FiniteCheck.isFinite(entry.getValue()))
            .map(Map.Entry::getKey)
            .findFirst();
    if (notFinite.isPresent()) {
      return Future.failedFuture(
          new ModelServerException(
              ModelServerException.Reason.NON_FINITE_GRADIENT,
              "gradient \"%s\" has NaN or infinite values; expected finite values; skip this step"
                  .formatted(notFinite.get())));
    }
    model.zeroGrad();
    return client.push(optimizer, gradients, examples).mapEmpty();
  }

  private static Tensor gradient(Tensor parameter) {
    Tensor gradient = parameter.grad();
    return gradient == null ? Tensor.full(parameter.shape(), parameter.dtype(), 0) : gradient;
  }

  /// Leaves the trainers: the others do not wait for this one any more.
  @Override
  public void close() {
    try {
      client.leave().await();
    } finally {
      platform.clock().stop();
    }
  }

  private final class WorkerCalls implements ServerCalls {
    private final Calls unlimited = rpc.with(CallOptions.DEFAULT.withoutTimeout());

    @Override
    public Future<SlotAnswer> join(Life server, JoinRequest request) {
      return unlimited.rpcAsync(server.worker(), ParameterServer::join, request);
    }

    @Override
    public Future<SlotAnswer> push(Life server, PushRequest request) {
      return unlimited.rpcAsync(server.worker(), ParameterServer::push, request);
    }

    @Override
    public Future<PullAnswer> pull(Life server, PullRequest request) {
      return unlimited.rpcAsync(server.worker(), ParameterServer::pull, request);
    }

    @Override
    public Future<SlotAnswer> leave(Life server, LeaveRequest request) {
      return unlimited.rpcAsync(server.worker(), ParameterServer::leave, request);
    }

    @Override
    public Future<SlotMap> map(int turn) {
      List<String> known = client.map().servers().stream().map(Life::worker).toList();
      List<String> names = known.isEmpty() || turn % 2 == 0 ? servers : known;
      return rpc.rpcAsync(names.get(turn / 2 % names.size()), ParameterServer::map);
    }

    @Override
    public boolean isTransient(Throwable error) {
      return error instanceof NoSuchWorkerException
          || error instanceof RpcTimeoutException
          || error instanceof WorkerBusyException;
    }

    @Override
    public long nanoTime() {
      return platform.clock().nanoTime();
    }

    @Override
    public void after(Duration time, Runnable action) {
      platform
          .clock()
          .after(time.toNanos(), () -> platform.threads().start("store-" + self, action));
    }
  }
}
