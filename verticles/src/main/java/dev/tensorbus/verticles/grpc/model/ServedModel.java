// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.grpc.model;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.StateDict;
import dev.tensorbus.optim.Optimizer;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.verticles.grpc.wire.NamedTensor;
import dev.tensorbus.verticles.grpc.wire.Reason;
import dev.tensorbus.verticles.grpc.wire.Refusal;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/// A model that programs outside of the world pull, push gradients to, and ask for predictions.
/// Others may train it meanwhile in their own way. Any thread may call it.
public final class ServedModel implements AutoCloseable {
  private final Layer model;
  private final Versions versions;
  private final Optimizer optimizer;
  private final Rounds rounds;
  private final Predictions predictions;
  private final List<Consumer<Learned>> listeners = new CopyOnWriteArrayList<>();

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

  /// Some parameters and buffers of one version.
  ///
  /// @param version its number
  /// @param tensors by torch's names
  public record Parameters(long version, List<NamedTensor> tensors) {}

  /// The present values of these, or of all if there are none; without any if they are not newer.
  ///
  /// @throws Refusal if there is none of a name
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
      throw new Refusal(
          Reason.UNKNOWN_PARAMETER,
          "no parameter \"%s\"; the model has %s"
              .formatted(name, String.join(", ", known.keySet())));
    }
    return tensor;
  }

  /// Checks gradients that came under torch's names.
  ///
  /// @return the gradient of each parameter that has one
  /// @throws Refusal if one is of no parameter, or of another shape or type
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
    return gradients;
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

  private static Refusal bad(String message) {
    return new Refusal(Reason.BAD_GRADIENT, message);
  }

  /// Takes a step by these gradients now.
  ///
  /// @return the version after it
  public long step(Map<Tensor, Tensor> gradients) {
    optimizer.step(gradients::get);
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
  /// @throws Refusal if nobody is expected
  public CompletableFuture<Long> join(Push push) {
    return rounds.push(push);
  }

  /// Takes a trainer's push out of the present round.
  public void withdraw(String trainer) {
    rounds.withdraw(trainer);
  }

  /// A trainer comes.
  ///
  /// @throws Refusal if one of its name is there, or all that are expected have come
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

  /// What all parameters and buffers look like.
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
