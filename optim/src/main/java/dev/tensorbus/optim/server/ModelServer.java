// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.StateDict;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.server.ModelServerException.Reason;
import dev.tensorbus.optim.update.FiniteCheck;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.group.MemberRefusedException;
import dev.tensorbus.rpc.group.Members;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Serves a model to others: they pull its parameters, request predictions, and are told of its
/// steps. They call the server through a reference or, from outside the world, through a gateway:
///
/// ```java
/// RRef<ModelServer> server = …;
/// PulledParameters now = server.rpcSync(ModelServer::pull, List.of(), 0L);
/// ```
///
/// If the parameters are on [ParameterServer]s, callers may also train the model. Each trainer that
/// joins is one of the trainers of their group:
///
/// ```java
/// server.rpcSync(ModelServer::join, "a");
/// long version = server.rpcSync(ModelServer::push, new Push("a", gradients, loss, 32));
/// ```
///
/// A model whose parameters are on this worker can only be read. Its own trainers step the
/// parameters directly, as a
/// [distributed optimizer][dev.tensorbus.optim.distributed.DistributedOptimizer] does.
///
/// Thread-safe.
public final class ModelServer implements AutoCloseable {
  private static final Logger LOG = System.getLogger(ModelServer.class.getName());

  private final Layer model;
  private final Supplier<Version> versions;

  /// The parameters on servers, or null if they are on this worker.
  private final @Nullable StoredParameters store;

  private final Members<String> trainers;
  private final Predictions predictions;
  private final List<Consumer<LearnedStep>> listeners = new CopyOnWriteArrayList<>();
  private final AtomicLong skipped = new AtomicLong();
  private volatile boolean skipsNonFinite;

  /// The trainers that have joined and left, and whether each of them has finished.
  private final SortedMap<String, Boolean> departed = new ConcurrentSkipListMap<>();

  private final Promise<Void> trained = Promise.promise();

  /// Creates a server of a model of this worker, which callers can only read.
  ///
  /// @param model the model, whose parameters may change at any time
  /// @param predictor computes the predictions
  /// @param batching how predictions are batched
  public ModelServer(Layer model, Predictor predictor, Batching batching) {
    this.model = model;
    this.versions = new Versions(model)::now;
    this.store = null;
    this.trainers = Members.open("trainer");
    this.predictions = new Predictions(predictor, versions, batching);
  }

  /// Creates a server of a model whose parameters are on [ParameterServer]s, with
  /// [Batching#STANDARD].
  ///
  /// @param network creates the model. It is called twice: a second instance computes predictions
  ///     while the first one is trained
  /// @param example the shape of one float32 example
  /// @param optimizer the optimizer of all trainers
  /// @param options the options with which all trainers join
  public static <N extends Layer & Forward> ModelServer ofStore(
      Rpc rpc, Supplier<N> network, Shape example, OptimizerSpec optimizer, StoreOptions options) {
    N twin = network.get();
    Predictor predictor = new Predictor(twin, x -> twin.forward(x), example);
    return new ModelServer(rpc, network.get(), predictor, optimizer, options, Batching.STANDARD);
  }

  /// Creates a server of a model whose parameters are on [ParameterServer]s. Each trainer that
  /// joins it is one of the trainers of their group, beside those of the world: its pushes are
  /// under the group's consistency, and it may come and go. Several workers may have such a server
  /// of one group, for trainers that come through any of them.
  ///
  /// Does not wait for the parameter servers; requests do. If the group has shards, which only
  /// trainers of the world can compute, no trainers can join here.
  ///
  /// @param model has the values of the group if no trainer has joined before
  /// @param predictor computes the predictions
  /// @param optimizer the optimizer of all trainers
  /// @param options the options with which all trainers join
  /// @param batching how predictions are batched
  public ModelServer(
      Rpc rpc,
      Layer model,
      Predictor predictor,
      OptimizerSpec optimizer,
      StoreOptions options,
      Batching batching) {
    StoredParameters parameters = new StoredParameters(rpc, model, optimizer, options);
    this.model = model;
    this.versions = parameters::now;
    this.store = parameters;
    this.trainers = Members.open("trainer", options.trainers());
    this.predictions = new Predictions(predictor, versions, batching);
    trainers.onDeparture(parameters::leave);
  }

  /// Makes this server drop and count pushes with non-finite gradients, instead of refusing them.
  public ModelServer skipNonFinite() {
    skipsNonFinite = true;
    return this;
  }

  /// Returns the number of dropped pushes.
  public long skipped() {
    return skipped.get();
  }

  /// Returns the current values of parameters and buffers.
  ///
  /// @param names the names of the requested parameters and buffers; empty for all
  /// @param newerThan the version that the caller has; if there is no newer one, no values are
  ///     returned
  /// @throws ModelServerException if the model has no parameter or buffer with a requested name
  @Remote
  public PulledParameters pull(List<String> names, long newerThan) {
    Version now = versions.get();
    Map<String, Tensor> wanted = names.isEmpty() ? now.state().tensors() : pick(names, now.state());
    return new PulledParameters(now.number(), now.number() > newerThan ? wanted : Map.of());
  }

  private static Map<String, Tensor> pick(List<String> names, StateDict state) {
    Map<String, Tensor> picked = new LinkedHashMap<>();
    names.forEach(name -> picked.put(name, require(name, state.tensors())));
    return picked;
  }

  private static Tensor require(String name, Map<String, Tensor> known) {
    Tensor tensor = known.get(name);
    if (tensor == null) {
      throw new ModelServerException(
          Reason.UNKNOWN_PARAMETER,
          "no parameter \"%s\"; the model has %s"
              .formatted(name, String.join(", ", known.keySet())));
    }
    return tensor;
  }

  /// Pushes the gradients of a trainer that has joined. The group's consistency decides when they
  /// become part of a step. If a push does not specify its number of examples (0), all pushes of
  /// its step have the same weight.
  ///
  /// @return a future of the version that the trainer may pull, which completes when it may
  ///     continue
  /// @throws ModelServerException if the model is read-only, there are no gradients, or one does
  ///     not belong to a parameter, differs from it in shape or type, or is not finite (unless
  ///     [#skipNonFinite] was called)
  @Remote
  public Future<Long> push(Push push) {
    StoredParameters parameters = requireStore();
    Map<Tensor, Tensor> gradients = gradients(push);
    Future<Long> reached = parameters.push(push.trainer(), gradients, push.examples());
    return gradients.isEmpty()
        ? reached
        : reached.onSuccess(
            version -> learned(push.trainer(), push.loss(), push.examples(), version));
  }

  private StoredParameters requireStore() {
    if (store == null) {
      throw new ModelServerException(
          Reason.READ_ONLY,
          "this model is read-only, since its parameters are not on servers; create it by"
              + " ModelServer.ofStore");
    }
    return store;
  }

  /// Returns the gradients by parameter, or an empty map if the push is dropped.
  private Map<Tensor, Tensor> gradients(Push push) {
    Map<String, Tensor> parameters = model.namedParameters(false);
    if (push.gradients().isEmpty()) {
      throw bad("a push without gradients; expected some of " + parameters.keySet());
    }
    Map<Tensor, Tensor> gradients = new LinkedHashMap<>();
    push.gradients()
        .forEach(
            (name, gradient) -> {
              Tensor parameter = require(name, parameters);
              requireFit(name, gradient, parameter);
              // A trainer that holds separate copies of a tied parameter sends a gradient for each.
              gradients.merge(parameter, gradient, Tensor::add);
            });
    Optional<String> notFinite =
        push.gradients().entrySet().stream()
            .filter(entry -> !FiniteCheck.isFinite(entry.getValue()))
            .map(Entry::getKey)
            .findFirst();
    if (notFinite.isEmpty()) {
      return gradients;
    }
    refuseOrSkip(notFinite.get());
    return Map.of();
  }

  private static void requireFit(String name, Tensor gradient, Tensor parameter) {
    if (!gradient.shape().equals(parameter.shape()) || gradient.dtype() != parameter.dtype()) {
      throw bad(
          "gradient \"%s\" is %s %s; expected %s %s"
              .formatted(
                  name, gradient.dtype(), gradient.shape(), parameter.dtype(), parameter.shape()));
    }
  }

  private static ModelServerException bad(String message) {
    return new ModelServerException(Reason.BAD_GRADIENT, message);
  }

  /// Refuses or drops a push: after a step with NaN, the whole model would be NaN and never
  /// recover.
  private void refuseOrSkip(String name) {
    if (!skipsNonFinite) {
      throw new ModelServerException(
          Reason.NON_FINITE_GRADIENT,
          "gradient \"%s\" has NaN or infinite values; expected finite values; skip this step"
              .formatted(name));
    }
    LOG.log(
        Level.WARNING,
        "dropped a push whose gradient \"{0}\" has NaN or infinite values; {1} so far",
        name,
        skipped.incrementAndGet());
  }

  /// Adds a trainer. From then on, the others wait for it if the consistency requires it.
  ///
  /// @throws ModelServerException if the model is read-only, or a trainer with this name is present
  @Remote
  public void join(String trainer) {
    StoredParameters parameters = requireStore();
    try {
      trainers.join(trainer);
    } catch (MemberRefusedException e) {
      throw new ModelServerException(Reason.TRAINER_IS_THERE, String.valueOf(e.getMessage()));
    }
    try {
      parameters.join(trainer);
    } catch (RuntimeException | Error e) {
      trainers.leave(trainer);
      throw e;
    }
    if (!trainers.present().contains(trainer)) { // it has left meanwhile
      parameters.leave(trainer);
    }
  }

  /// Removes a trainer that has finished, and its push if that has not become part of a step.
  @Remote
  public void leave(String trainer) {
    if (trainers.leave(trainer)) {
      depart(trainer, true);
    }
  }

  /// Removes a trainer that disappeared before it finished, and its push if that has not become
  /// part of a step.
  public void lose(String trainer) {
    LOG.log(
        Level.WARNING,
        "trainer \"{0}\" was lost: its stream of pushes failed, and gradients it has not pushed are"
            + " skipped",
        trainer);
    if (trainers.lose(trainer)) {
      depart(trainer, false);
    }
  }

  private void depart(String trainer, boolean hasFinished) {
    departed.merge(trainer, hasFinished, Boolean::logicalOr);
    if (departed.size() < trainers.expected() || !trainers.present().isEmpty()) {
      return;
    }
    if (departed.containsValue(true)) {
      trained.tryComplete();
    } else {
      trained.tryFail(
          "all trainers were lost before the training finished: %s; restart the whole world"
              .formatted(String.join(", ", departed.keySet())));
    }
  }

  /// Returns the trainers that have joined here. The group may have others.
  public Members<String> trainers() {
    return trainers;
  }

  /// Returns a future that completes when the training has ended, if all trainers come through this
  /// server: as many as the group expects have joined here, and all have left. The future fails if
  /// all of them were lost.
  ///
  /// @throws ModelServerException if the model is read-only
  public Future<Void> trained() {
    StoredParameters _ = requireStore();
    return trained.future();
  }

  /// Adds a listener, which is called for each push to this server that has become part of a step,
  /// and for each step of [#learned]. It must not block. If it throws, the exception is logged, and
  /// the push counts as applied.
  public void onStep(Consumer<LearnedStep> listener) {
    listeners.add(listener);
  }

  /// Notifies the listeners of a step. Intended for trainers that step the parameters directly.
  ///
  /// @param version the version of the parameters after the step
  public void learned(String trainer, float loss, int examples, long version) {
    LearnedStep step = new LearnedStep(trainer, loss, examples, version);
    for (Consumer<LearnedStep> listener : listeners) {
      try {
        listener.accept(step);
      } catch (RuntimeException e) {
        LOG.log(Level.WARNING, "a listener failed at " + step, e);
      }
    }
  }

  /// Returns the current version.
  public long version() {
    return versions.get().number();
  }

  /// Returns the service that computes this model's predictions.
  public Predictions predictions() {
    return predictions;
  }

  @Override
  public void close() {
    if (store != null) {
      store.close();
    }
    predictions.close();
  }
}
