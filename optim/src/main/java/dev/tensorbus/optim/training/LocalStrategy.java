// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.optim.Clipping;
import dev.tensorbus.optim.Optimizer;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.ParameterGroup;
import dev.tensorbus.optim.checkpoint.Checkpoint;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Trains a model in this process.
final class LocalStrategy implements Strategy {
  private final Layer model;
  private final Optimizer optimizer;

  LocalStrategy(Layer model, OptimizerSpec spec) {
    this.model = model;
    this.optimizer = spec.over(model.parameters());
  }

  @Override
  public <B> TotalLoss step(List<B> batches, TrainingStep<B> step, @Nullable Clipping clipping) {
    TotalLoss total = backward(batches, step, Tensor::backward);
    update(total, clipping);
    return total;
  }

  /// Computes the gradients of a step.
  <B> TotalLoss backward(List<B> batches, TrainingStep<B> step, Consumer<Tensor> backward) {
    optimizer.zeroGrad();
    return Strategy.backward(batches, step, backward);
  }

  /// Updates the parameters, unless no target contributed to the loss.
  void update(TotalLoss total, @Nullable Clipping clipping) {
    if (total.isEmpty()) {
      return;
    }
    if (clipping == null) {
      optimizer.step();
    } else {
      optimizer.step(clipping);
    }
  }

  @Override
  public List<ParameterGroup<Tensor>> groups() {
    return optimizer.groups();
  }

  @Override
  public Optional<Layer> model() {
    return Optional.of(model);
  }

  @Override
  public void addTo(Checkpoint checkpoint) {
    checkpoint.withModel("model", model).withOptimizer("optimizer", optimizer);
  }

  @Override
  public void requireComplete() {
    Set<Tensor> known = new HashSet<>(optimizer.parameters());
    model
        .namedParameters()
        .forEach(
            (name, parameter) -> {
              if (!known.contains(parameter)) {
                throw new IllegalStateException(
                    "trainer: %s was added to the model after its trainer was created, and would not"
                            .formatted(name)
                        + " be trained; create the trainer last");
              }
            });
  }
}
