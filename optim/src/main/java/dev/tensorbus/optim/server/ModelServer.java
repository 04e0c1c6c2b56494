// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.StateDict;
import dev.tensorbus.optim.Optimizer;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.server.ModelServerException.Reason;
import dev.tensorbus.optim.server.consistency.Consistency;
import dev.tensorbus.optim.server.consistency.Consistency.Bsp;
import dev.tensorbus.optim.update.FiniteCheck;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.group.MemberRefusedException;
import dev.tensorbus.rpc.group.Members;
import io.vertx.core.Future;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/// Serves a model. Trainers pull its parameters and push gradients, individually or in rounds;
/// other clients request predictions. Trainers call the server through a reference or, from outside
/// the world, through a gateway:
///
/// ```java
/// RRef<ModelServer> server = …;
/// PulledParameters now = server.rpcSync(ModelServer::pull, List.of(), 0L);
/// long version = server.rpcSync(ModelServer::pushRound, new Push("a", gradients, loss, 32));
/// ```
///
/// Trainers may also step the model's parameters directly, as a
/// [distributed optimizer][dev.tensorbus.optim.distributed.DistributedOptimizer] does. Thread-safe.
public final class ModelServer implements AutoCloseable {
  private static final Logger LOG = System.getLogger(ModelServer.class.getName());

  private final Layer model;
  private final Members<String> trainers;
  private final ServedParameters parameters;
  private final Predictions predictions;
  private final List<Consumer<LearnedStep>> listeners = new CopyOnWriteArrayList<>();
  private final AtomicLong skipped = new AtomicLong();
  private volatile boolean skipsNonFinite;

  /// Creates a server with [Batching#STANDARD], whose rounds combine the pushes of all trainers.
  ///
  /// @param network creates the model. It is called twice: a second instance computes predictions
  ///     while the first one is trained
  /// @param example the shape of one float32 example
  /// @param optimizer the optimizer that updates the model
  /// @param trainers the number of trainers that are expected to join
  public static <N extends Layer & Forward> ModelServer of(
      Supplier<N> network, Shape example, OptimizerSpec optimizer, int trainers) {
    N model = network.get();
    N twin = network.get();
    Predictor predictor = new Predictor(twin, x -> twin.forward(x), example);
    Optimizer updates = optimizer.over(model.parameters());
    return new ModelServer(model, predictor, updates, trainers, Batching.STANDARD);
  }

  /// Creates a server whose rounds combine the pushes of all trainers.
  ///
  /// @param model the model that is trained
  /// @param predictor computes the predictions
  /// @param optimizer the optimizer that updates the model
  /// @param trainers the number of trainers that are expected to join
  /// @param batching how predictions are batched
  public ModelServer(
      Layer model, Predictor predictor, Optimizer optimizer, int trainers, Batching batching) {
    this(model, predictor, optimizer, trainers, new Bsp(0), batching);
  }

  /// Creates a server.
  ///
  /// @param model the model that is trained
  /// @param predictor computes the predictions
  /// @param optimizer the optimizer that updates the model
  /// @param trainers the number of trainers that are expected to join
  /// @param consistency how the pushes of [#pushRound] become steps
  /// @param batching how predictions are batched
  /// @throws IllegalArgumentException if there are fewer trainers than the consistency needs
  public ModelServer(
      Layer model,
      Predictor predictor,
      Optimizer optimizer,
      int trainers,
      Consistency consistency,
      Batching batching) {
    this(
        model,
        predictor,
        Members.expecting("trainer", trainers),
        batching,
        server ->
            new LocalParameters(model, optimizer, server.trainers, consistency, server::tell));
  }

  /// Creates a server of a model whose parameters are on [ParameterServer]s, with
  /// [Batching#STANDARD].
  ///
  /// @param network creates the model. It is called twice, as in [#of]
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
    this(
        model,
        predictor,
        Members.open("trainer", options.trainers()),
        batching,
        server ->
            new StoredParameters(rpc, model, optimizer, options, server.trainers, server::tell));
  }

  private ModelServer(
      Layer model,
      Predictor predictor,
      Members<String> trainers,
      Batching batching,
      Function<ModelServer, ServedParameters> parameters) {
    this.model = model;
    this.trainers = trainers;
    this.parameters = parameters.apply(this);
    this.predictions = new Predictions(predictor, this.parameters::now, batching);
  }

  /// Makes this server drop and count pushes with non-finite gradients, instead of refusing them.
  public ModelServer skipNonFinite() {
    skipsNonFinite = true;
    parameters.skipNonFinite();
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
    Version now = parameters.now();
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

  /// Updates the model with a trainer's gradients.
  ///
  /// @return a future of the version after the step
  /// @throws ModelServerException if there are no gradients, or one does not belong to a parameter,
  ///     differs from it in shape or type, or is not finite (unless [#skipNonFinite] was called)
  @Remote
  public Future<Long> push(Push push) {
    requireAtOnce();
    return parameters.push(checked(push));
  }

  /// Checks that [#push] is possible, for trainers that join before they push.
  ///
  /// @throws ModelServerException if the parameters are on servers, whose trainers push to rounds
  public void requireAtOnce() {
    parameters.requireAtOnce();
  }

  /// Adds a trainer's gradients under this server's [Consistency]. By default a step combines the
  /// pushes of all trainers that have joined or are still expected, and applies the gradient of the
  /// mean loss over all examples. If a push does not specify its number of examples (0), all pushes
  /// have the same weight.
  ///
  /// @return a future of the version that the trainer may pull, which completes when it may
  ///     continue
  /// @throws ModelServerException if no trainers are expected, or for any of the reasons listed for
  ///     [#push]
  @Remote
  public Future<Long> pushRound(Push push) {
    if (trainers.expected() == 0) {
      throw new ModelServerException(
          Reason.NO_ROUNDS,
          "this server expects no trainers, so a round would never complete; push at once instead");
    }
    return parameters.pushRound(checked(push));
  }

  private CheckedPush checked(Push push) {
    return new CheckedPush(push.trainer(), gradients(push), push.loss(), push.examples());
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

  /// Withdraws a trainer's push from the current round.
  public void withdraw(String trainer) {
    parameters.withdraw(trainer);
  }

  /// Adds a trainer. From then on, the others wait for it if the consistency requires it.
  ///
  /// @throws ModelServerException if a trainer with this name is present, or all expected trainers
  ///     have already joined
  @Remote
  public void join(String trainer) {
    try {
      trainers.join(trainer);
    } catch (MemberRefusedException e) {
      Reason reason =
          switch (e.reason()) {
            case PRESENT -> Reason.TRAINER_IS_THERE;
            case FULL -> Reason.TOO_MANY_TRAINERS;
          };
      throw new ModelServerException(reason, String.valueOf(e.getMessage()));
    }
    try {
      parameters.join(trainer);
    } catch (RuntimeException | Error e) {
      trainers.leave(trainer);
      throw e;
    }
  }

  /// Removes a trainer, and withdraws its push from the current round.
  @Remote
  public void leave(String trainer) {
    withdraw(trainer);
    trainers.leave(trainer);
  }

  /// Removes a trainer that disappeared before it finished, and withdraws its push from the current
  /// round.
  public void lose(String trainer) {
    LOG.log(
        Level.WARNING,
        "trainer \"{0}\" was lost: its stream of pushes failed, and gradients it has not pushed are"
            + " skipped",
        trainer);
    withdraw(trainer);
    trainers.lose(trainer);
  }

  /// Returns the trainers that rounds wait for.
  public Members<String> trainers() {
    return trainers;
  }

  /// Returns a future that completes when every expected trainer has left or been lost. The future
  /// fails if all of them were lost.
  public Future<Void> trained() {
    return trainers
        .allDeparted()
        .compose(
            _ ->
                trainers
                    .lossOfAll(name -> name)
                    .map(ModelServer::lost)
                    .orElse(Future.succeededFuture()));
  }

  private static Future<Void> lost(String loss) {
    return Future.failedFuture(loss + " before the training finished; restart the whole world");
  }

  /// Adds a listener, which is called for each applied push on the thread that updated the model.
  /// It must not block. If it throws, the exception is logged, and the push counts as applied.
  public void onStep(Consumer<LearnedStep> listener) {
    listeners.add(listener);
  }

  /// Notifies the listeners of a step. Intended for trainers that step the parameters directly.
  ///
  /// @param version the version of the parameters after the step
  public void learned(String trainer, float loss, int examples, long version) {
    tell(new LearnedStep(trainer, loss, examples, version));
  }

  private void tell(LearnedStep step) {
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
    return parameters.now().number();
  }

  /// Returns the service that computes this model's predictions.
  public Predictions predictions() {
    return predictions;
  }

  @Override
  public void close() {
    parameters.close();
    predictions.close();
  }
}
