// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.optim.NonFiniteGradientException;
import dev.tensorbus.optim.Optimizer;
import dev.tensorbus.optim.server.ModelServerException.Reason;
import dev.tensorbus.optim.server.consistency.Consistency;
import dev.tensorbus.optim.server.consistency.ExampleWeights;
import dev.tensorbus.rpc.group.Members;
import io.vertx.core.Future;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// Parameters on the worker that serves them, which an optimizer there updates. Others may step
/// them directly, too.
final class LocalParameters implements ServedParameters {
  private final Versions versions;
  private final Optimizer optimizer;
  private final Pushes pushes;
  private final Consumer<LearnedStep> listener;

  /// @param listener is told of each push that has become part of a step
  LocalParameters(
      Layer model,
      Optimizer optimizer,
      Members<String> trainers,
      Consistency consistency,
      Consumer<LearnedStep> listener) {
    consistency.requireTrainers(trainers.expected());
    optimizer.groups().forEach(group -> StaleMomentum.warn(group.spec(), consistency));
    this.versions = new Versions(model);
    this.optimizer = optimizer;
    this.pushes = new Pushes(trainers, consistency, this::stepByMean);
    this.listener = listener;
  }

  @Override
  public Version now() {
    return versions.now();
  }

  @Override
  public void join(String trainer) {
    pushes.membersChanged();
  }

  @Override
  public void requireAtOnce() {}

  @Override
  public Future<Long> push(CheckedPush push) {
    stepByMean(List.of(push));
    return Future.succeededFuture(now().number());
  }

  @Override
  public Future<Long> pushRound(CheckedPush push) {
    return pushes.add(push).map(_ -> now().number());
  }

  @Override
  public void withdraw(String trainer) {
    pushes.withdraw(trainer);
  }

  @Override
  public void skipNonFinite() {
    optimizer.setErrorIfNonFinite(false);
  }

  /// Takes a step with the weighted mean of the gradients. Ignores dropped pushes, which are empty.
  private void stepByMean(List<CheckedPush> all) {
    List<CheckedPush> parts = all.stream().filter(push -> !push.gradients().isEmpty()).toList();
    if (parts.isEmpty()) {
      return;
    }
    double[] weights = ExampleWeights.of(parts.stream().map(CheckedPush::examples).toList());
    Map<Tensor, Tensor> sums = new LinkedHashMap<>();
    for (int i = 0; i < weights.length; i++) {
      double weight = weights[i];
      parts
          .get(i)
          .gradients()
          .forEach(
              (parameter, gradient) ->
                  sums.merge(parameter, weighted(gradient, weight), Tensor::add));
    }
    double sumOfWeights = Arrays.stream(weights).sum();
    sums.replaceAll((parameter, sum) -> weighted(sum, 1 / sumOfWeights));
    step(sums);
    long version = now().number();
    parts.forEach(push -> listener.accept(push.learned(version)));
  }

  private void step(Map<Tensor, Tensor> gradients) {
    try {
      optimizer.step(gradients::get);
    } catch (NonFiniteGradientException e) { // a sum of finite gradients can overflow
      throw new ModelServerException(Reason.BAD_GRADIENT, String.valueOf(e.getMessage()));
    }
  }

  private static Tensor weighted(Tensor gradient, double weight) {
    return weight == 1 ? gradient : gradient.scale(weight);
  }

  @Override
  public void close() {
    pushes.close();
  }
}
