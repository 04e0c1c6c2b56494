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
import dev.tensorbus.rpc.thread.Platform;
import io.vertx.core.Future;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Parameters on [ParameterServer]s, and the trainers of a [ModelServer]. Each of them is a trainer
/// of the parameters' group with a life of its own, beside those in the world. Its life ends when
/// it leaves or is lost, or when this worker is lost. Thread-safe.
final class StoredParameters implements AutoCloseable {
  private static final Logger LOG = System.getLogger(StoredParameters.class.getName());

  /// How long requests that are under way at the end may take to learn that their trainer has left.
  private static final Duration UNDER_WAY = Duration.ofSeconds(1);

  private final String worker;
  private final Layer model;

  /// The values that the group has if no trainer has joined yet.
  private final Map<String, Tensor> first;

  private final StoreOptions options;
  private final OptimizerSpec optimizer;
  private final GroupSettings settings;
  private final Platform platform;
  private final ServerCalls calls;
  private final Map<String, SlotClient> trainers = new ConcurrentHashMap<>();

  /// Fetches values. It never joins.
  private final SlotClient reader;

  private @Nullable Future<Void> defined;
  private Version version;
  private Future<Version> pulled;

  /// @param model is given the values of the servers
  StoredParameters(Rpc rpc, Layer model, OptimizerSpec optimizer, StoreOptions options) {
    this.worker = rpc.self().name();
    this.model = model;
    this.first = StoreOptions.parametersOf(model);
    first.replaceAll((_, parameter) -> parameter.detach());
    this.options = options;
    this.optimizer = options.serverOptimizer(optimizer);
    this.settings = options.settings(first, optimizer);
    this.platform = Platform.ofSystem("served-" + worker);
    this.calls = new WorkerCalls(rpc, platform, options.servers());
    StaleMomentum.warn(this.optimizer, options.consistency());
    this.reader = client(worker);
    this.version = new Version(0, model.state());
    this.pulled = Future.succeededFuture(version);
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

  /// Returns the newest version, with the model's buffers. Waits for the servers.
  Version now() {
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

  /// Adds a trainer. Waits for the servers.
  void join(String trainer) {
    if (options.shards() > 0) {
      throw new ModelServerException(
          Reason.READ_ONLY,
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

  /// Removes a trainer, if it has joined.
  void leave(String trainer) {
    SlotClient client = trainers.remove(trainer);
    if (client != null) {
      Future<Void> _ = leave(client);
    }
  }

  private static Future<Void> leave(SlotClient client) {
    return explained(client::leave)
        .onFailure(error -> LOG.log(Level.DEBUG, "a trainer could not leave: {0}", error));
  }

  /// Pushes the gradients of a trainer.
  ///
  /// @param gradients the gradients by parameter, 0 if absent; empty to take part in a step without
  ///     changing it
  /// @return a future of the version that the trainer may pull, which completes when it may
  ///     continue
  Future<Long> push(String trainer, Map<Tensor, Tensor> gradients, int examples) {
    SlotClient client = trainers.get(trainer);
    if (client == null) {
      throw new IllegalStateException(
          "trainer \"%s\" has not joined; join before the first push".formatted(trainer));
    }
    Map<String, Tensor> named = gradients.isEmpty() ? Map.of() : named(gradients);
    return explained(() -> client.push(optimizer, named, examples));
  }

  /// Returns the gradients of all parameters by name.
  private Map<String, Tensor> named(Map<Tensor, Tensor> gradients) {
    Map<String, Tensor> named = new LinkedHashMap<>();
    StoreOptions.parametersOf(model)
        .forEach(
            (name, parameter) -> {
              Tensor gradient = gradients.get(parameter);
              named.put(
                  name,
                  gradient == null
                      ? Tensor.full(parameter.shape(), parameter.dtype(), 0)
                      : gradient);
            });
    return named;
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

  @Override
  public void close() {
    Future.join(trainers.values().stream().map(StoredParameters::leave).toList())
        .onComplete(_ -> platform.clock().after(UNDER_WAY.toNanos(), platform.clock()::stop));
  }
}
