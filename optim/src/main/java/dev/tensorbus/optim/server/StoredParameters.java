// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.server.ModelServerException.Reason;
import dev.tensorbus.optim.server.client.LostSlotsException;
import dev.tensorbus.optim.server.client.ServerCalls;
import dev.tensorbus.optim.server.client.SlotClient;
import dev.tensorbus.optim.server.replica.GroupSettings;
import dev.tensorbus.optim.server.slot.Life;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.group.Members;
import dev.tensorbus.rpc.thread.Platform;
import io.vertx.core.Future;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Parameters on [ParameterServer]s. Each trainer that joins is a trainer of their group with a
/// life of its own, beside those in the world. Its life ends when it leaves or is lost, or when
/// this worker is lost.
final class StoredParameters implements ServedParameters {
  private static final Logger LOG = System.getLogger(StoredParameters.class.getName());

  private final String worker;
  private final Layer model;

  /// The values that the group has if no trainer has joined yet.
  private final Map<String, Tensor> first;

  private final StoreOptions options;
  private final OptimizerSpec optimizer;
  private final GroupSettings settings;
  private final Platform platform;
  private final ServerCalls calls;
  private final Consumer<LearnedStep> listener;
  private final Map<String, SlotClient> trainers = new ConcurrentHashMap<>();

  /// Fetches values. It never joins.
  private final SlotClient reader;

  private @Nullable Future<Void> defined;
  private Version version;
  private Future<Version> pulled;

  /// @param model is given the values of the servers
  /// @param members the trainers that have joined here
  /// @param listener is told of each push that has become part of a step
  StoredParameters(
      Rpc rpc,
      Layer model,
      OptimizerSpec optimizer,
      StoreOptions options,
      Members<String> members,
      Consumer<LearnedStep> listener) {
    this.worker = rpc.self().name();
    this.model = model;
    this.first = StoreOptions.parametersOf(model);
    first.replaceAll((_, parameter) -> parameter.detach());
    this.options = options;
    this.optimizer = options.serverOptimizer(optimizer);
    this.settings = options.settings(first, optimizer);
    this.platform = Platform.ofSystem("served-" + worker);
    this.calls = new WorkerCalls(rpc, platform, options.servers());
    this.listener = listener;
    StaleMomentum.warn(this.optimizer, options.consistency());
    this.reader = client(worker);
    this.version = new Version(0, model.state());
    this.pulled = Future.succeededFuture(version);
    members.onDeparture(this::leave);
  }

  private SlotClient client(String name) {
    Life life = new Life(name, worker, platform.random().nextLong());
    return new SlotClient(life, settings, first, calls, options.patience());
  }

  /// Defines the group if no trainer has, since trainers outside the world pull before they join.
  private synchronized Future<Void> define() {
    Future<Void> before = defined;
    if (before == null || before.failed()) {
      before = reader.define(first);
      defined = before;
    }
    return before;
  }

  @Override
  public Version now() {
    return await(explained(this::pullInTurn));
  }

  /// Pulls after the pulls that were asked for before, since the reader makes one after another.
  private synchronized Future<Version> pullInTurn() {
    pulled = pulled.otherwiseEmpty().compose(_ -> define()).compose(_ -> pull());
    return pulled;
  }

  private Future<Version> pull() {
    return reader
        .pull()
        .map(
            changed -> {
              if (!changed.isEmpty()) { // perhaps only in slots that were behind
                load(changed);
                version = new Version(reader.newest(), model.state());
              }
              return version;
            });
  }

  private void load(Map<String, Tensor> changed) {
    StoreOptions.parametersOf(model)
        .forEach((name, parameter) -> parameter.replace(now -> changed.getOrDefault(name, now)));
  }

  @Override
  public void join(String trainer) {
    if (options.shards() > 0) {
      throw new ModelServerException(
          Reason.NO_ROUNDS,
          "group \"%s\" has %d shards, which only trainers of the world compute; join it without shards"
              .formatted(options.group(), options.shards()));
    }
    SlotClient client = client(trainer);
    Future<Void> joined = explained(() -> define().compose(_ -> client.rejoin()));
    try {
      await(joined);
      trainers.put(trainer, client);
    } catch (RuntimeException | Error e) {
      joined.onComplete(_ -> leave(client)); // the slots that it has joined would wait for it
      throw e;
    }
  }

  private void leave(String trainer) {
    SlotClient client = trainers.remove(trainer);
    if (client != null) {
      Future<Void> _ = leave(client);
    }
  }

  private static Future<Void> leave(SlotClient client) {
    return explained(client::leave)
        .onFailure(error -> LOG.log(Level.DEBUG, "a trainer could not leave: {0}", error));
  }

  @Override
  public void requireAtOnce() {
    throw roundsOnly();
  }

  private ModelServerException roundsOnly() {
    return new ModelServerException(
        Reason.ROUNDS_ONLY,
        "a push at once to group \"%s\", whose trainers push to rounds of %s; push to rounds, too"
            .formatted(options.group(), options.consistency()));
  }

  @Override
  public Future<Long> push(CheckedPush push) {
    throw roundsOnly();
  }

  @Override
  public Future<Long> pushRound(CheckedPush push) {
    SlotClient client = trainers.get(push.trainer());
    if (client == null) {
      throw new IllegalStateException(
          "trainer \"%s\" has not joined; join before the first push".formatted(push.trainer()));
    }
    boolean isDropped = push.gradients().isEmpty();
    Map<String, Tensor> gradients = isDropped ? Map.of() : gradients(push);
    return explained(() -> client.push(optimizer, gradients, push.examples()))
        .onSuccess(
            reached -> {
              if (!isDropped) {
                listener.accept(push.learned(reached));
              }
            });
  }

  /// Returns the gradients by name, zeros included.
  private Map<String, Tensor> gradients(CheckedPush push) {
    Map<String, Tensor> gradients = new LinkedHashMap<>();
    StoreOptions.parametersOf(model)
        .forEach(
            (name, parameter) -> {
              Tensor gradient = push.gradients().get(parameter);
              gradients.put(
                  name,
                  gradient == null
                      ? Tensor.full(parameter.shape(), parameter.dtype(), 0)
                      : gradient);
            });
    return gradients;
  }

  /// Waits for a result, unless the thread is interrupted.
  private static <T> T await(Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause
          ? cause
          : new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("the call was cancelled while it waited for the servers");
    }
  }

  /// Makes requests, whose failures become those of a model server.
  private static <T> Future<T> explained(Supplier<Future<T>> requests) {
    return Future.succeededFuture()
        .compose(_ -> requests.get())
        .recover(error -> Future.failedFuture(explained(error)));
  }

  private static Throwable explained(Throwable error) {
    String message = String.valueOf(error.getMessage());
    return switch (error) {
      case LostSlotsException _ -> new ModelServerException(Reason.NO_SERVER, message);
      case IllegalStateException _ -> // this worker has left the world
          new ModelServerException(Reason.CLOSING, message + "; call another worker");
      default -> error;
    };
  }

  /// Does nothing: a trainer that is cancelled leaves, which takes its push out of the round.
  @Override
  public void withdraw(String trainer) {}

  /// Does nothing: servers always skip such a step, and say so in their logs.
  @Override
  public void skipNonFinite() {}

  @Override
  public void close() {
    Future.join(trainers.values().stream().map(StoredParameters::leave).toList())
        .onComplete(_ -> platform.clock().stop());
  }
}
