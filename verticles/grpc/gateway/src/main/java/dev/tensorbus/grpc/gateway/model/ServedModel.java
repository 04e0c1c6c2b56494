// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.model;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.grpc.gateway.wire.GrpcStatusException;
import dev.tensorbus.grpc.gateway.wire.NamedTensor;
import dev.tensorbus.grpc.gateway.wire.Reason;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.StateDict;
import dev.tensorbus.optim.NonFiniteGradientException;
import dev.tensorbus.optim.Optimizer;
import dev.tensorbus.optim.OptimizerSpec;
import io.vertx.core.Future;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.DoubleStream;

/// A model that programs outside of the world pull, push gradients to, and ask for predictions.
/// Others may train it meanwhile in their own way. Any thread may call it.
public final class ServedModel implements AutoCloseable {
  private static final Logger LOG = System.getLogger(ServedModel.class.getName());

  private final Layer model;
  private final Versions versions;
  private final Optimizer optimizer;
  private final Rounds rounds;
  private final Predictions predictions;
  private final List<Consumer<Learned>> listeners = new CopyOnWriteArrayList<>();
  private final AtomicLong skipped = new AtomicLong();
  private volatile boolean skipsNonFinite;

  /// Serves a model.
  ///
  /// @param model that others pull and push to
  /// @param predictor answers for it
  /// @param spec how it learns from a push
  /// @param trainers how many are expected to push
  /// @param batching how predictions are batched
  public ServedModel(
      Layer model, Predictor predictor, OptimizerSpec spec, int trainers, Batching batching) {
    this.model = model;
    this.versions = new Versions(model);
    this.optimizer = spec.over(model.parameters());
    this.rounds = new Rounds(trainers, this::step);
    this.predictions = new Predictions(predictor, versions, batching);
  }

  /// From now on drops a push with gradients that are not finite, and counts it. Otherwise it is
  /// refused.
  public ServedModel skipNonFinite() {
    skipsNonFinite = true;
    optimizer.setErrorIfNonFinite(false);
    return this;
  }

  /// How many pushes were dropped.
  public long skipped() {
    return skipped.get();
  }

  /// Some parameters and buffers of one version.
  ///
  /// @param version its number
  /// @param tensors by torch's names
  public record Parameters(long version, List<NamedTensor> tensors) {}

  /// The present values of these, or of all if there are none; without any if they are not newer.
  ///
  /// @throws GrpcStatusException if there is none of a name
  public Parameters pull(List<String> names, long newerThan) {
    Versions.Snapshot now = versions.now();
    Map<String, Tensor> wanted = names.isEmpty() ? now.state().tensors() : pick(names, now.state());
    boolean isNewer = now.version() > newerThan;
    return new Parameters(now.version(), isNewer ? NamedTensor.of(wanted) : List.of());
  }

  private static Map<String, Tensor> pick(List<String> names, StateDict state) {
    Map<String, Tensor> picked = new LinkedHashMap<>();
    names.forEach(name -> picked.put(name, require(name, state.tensors())));
    return picked;
  }

  private static Tensor require(String name, Map<String, Tensor> known) {
    Tensor tensor = known.get(name);
    if (tensor == null) {
      throw new GrpcStatusException(
          Reason.UNKNOWN_PARAMETER,
          "no parameter \"%s\"; the model has %s"
              .formatted(name, String.join(", ", known.keySet())));
    }
    return tensor;
  }

  /// Checks gradients that came under torch's names.
  ///
  /// @return the gradient of each parameter that has one; empty if the push is dropped
  /// @throws GrpcStatusException if one is of no parameter, of another shape or type, or not finite
  public Map<Tensor, Tensor> gradients(List<NamedTensor> named) {
    Map<String, Tensor> parameters = model.namedParameters();
    Map<Tensor, Tensor> gradients = new LinkedHashMap<>();
    for (NamedTensor gradient : named) {
      Tensor parameter = require(gradient.name(), parameters);
      requireFit(gradient, parameter);
      if (gradients.put(parameter, gradient.tensor()) != null) {
        throw bad("gradient \"%s\" comes twice in one push".formatted(gradient.name()));
      }
    }
    if (gradients.isEmpty()) {
      throw bad("a push without gradients; expected some of " + parameters.keySet());
    }
    Optional<NamedTensor> notFinite = named.stream().filter(g -> !isFinite(g.tensor())).findFirst();
    if (notFinite.isEmpty()) {
      return gradients;
    }
    refuseOrSkip(notFinite.get().name());
    return Map.of();
  }

  /// A step by NaN makes all of a model NaN, and it never recovers.
  private void refuseOrSkip(String name) {
    if (!skipsNonFinite) {
      throw bad(
          "gradient \"%s\" has NaN or infinite values; expected finite ones; leave this step out,"
                  .formatted(name)
              + " or start the worker with --grpc-skip-nonfinite");
    }
    LOG.log(
        Level.WARNING,
        "dropped a push whose gradient \"{0}\" has NaN or infinite values; {1} so far",
        name,
        skipped.incrementAndGet());
  }

  private static boolean isFinite(Tensor tensor) {
    return switch (tensor.storage()) {
      case float[] values -> isFinite(values);
      case double[] values -> DoubleStream.of(values).allMatch(Double::isFinite);
      default -> true;
    };
  }

  private static boolean isFinite(float[] values) {
    for (float value : values) {
      if (!Float.isFinite(value)) {
        return false;
      }
    }
    return true;
  }

  private static void requireFit(NamedTensor gradient, Tensor parameter) {
    Tensor given = gradient.tensor();
    if (!given.shape().equals(parameter.shape()) || given.dtype() != parameter.dtype()) {
      throw bad(
          "gradient \"%s\" is %s %s; expected %s %s"
              .formatted(
                  gradient.name(),
                  given.dtype(),
                  given.shape(),
                  parameter.dtype(),
                  parameter.shape()));
    }
  }

  private static GrpcStatusException bad(String message) {
    return new GrpcStatusException(Reason.BAD_GRADIENT, message);
  }

  /// Takes a step by these gradients now, if there are any.
  ///
  /// @return the version after it
  /// @throws GrpcStatusException if they are not finite
  public long step(Map<Tensor, Tensor> gradients) {
    if (!gradients.isEmpty()) {
      try {
        optimizer.step(gradients::get);
      } catch (NonFiniteGradientException e) { // a sum of finite ones
        throw bad(String.valueOf(e.getMessage()));
      }
    }
    return versions.now().version();
  }

  /// Hears of each step, on the thread of the trainer that tells of it.
  public void onStep(Consumer<Learned> listener) {
    listeners.add(listener);
  }

  /// A trainer tells that the model has learned from it: by a push, or in a way of its own.
  ///
  /// @param version of the parameters after the step
  public void learned(String trainer, float loss, int examples, long version) {
    Learned step = new Learned(trainer, loss, examples, version);
    listeners.forEach(listener -> listener.accept(step));
  }

  /// Adds a push to the present round.
  ///
  /// @return the version after the round's step
  /// @throws GrpcStatusException if nobody is expected
  public CompletableFuture<Long> join(Push push) {
    return rounds.push(push);
  }

  /// Takes a trainer's push out of the present round.
  public void withdraw(String trainer) {
    rounds.withdraw(trainer);
  }

  /// A trainer comes.
  ///
  /// @throws GrpcStatusException if one of its name is there, or all that are expected have come
  public void enter(String trainer) {
    rounds.enter(trainer);
  }

  /// A trainer brings nothing more.
  public void leave(String trainer) {
    rounds.leave(trainer);
  }

  /// How many trainers are expected.
  public int trainers() {
    return rounds.trainers().expected();
  }

  /// Done when each trainer that is expected has come, and ended or been lost.
  public Future<Void> trainersEnded() {
    return rounds.trainers().allEnded();
  }

  /// The names, types and shapes of all parameters and buffers.
  public List<NamedTensor> parameters() {
    return new ArrayList<>(NamedTensor.of(versions.now().state().tensors()));
  }

  /// The present version.
  public long version() {
    return versions.now().version();
  }

  /// Answers for this model.
  public Predictions predictions() {
    return predictions;
  }

  @Override
  public void close() {
    predictions.close();
  }
}
