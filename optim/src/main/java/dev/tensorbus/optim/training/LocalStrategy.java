// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.Batch;
import dev.tensorbus.nn.Evaluation;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.loss.Loss;
import dev.tensorbus.optim.Clipping;
import dev.tensorbus.optim.Optimizer;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.ParameterGroup;
import dev.tensorbus.optim.checkpoint.Checkpoint;
import dev.tensorbus.rpc.nn.DistributedDataParallel;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The model is in this process: the only one, or one of several copies that learn as one.
final class LocalStrategy<L extends Layer & Forward> implements Strategy {
  private final L model;
  private final Optimizer optimizer;

  /// Runs passes whose gradients only add up, before the pass that ends a step.
  private final Consumer<Runnable> accumulate;

  private LocalStrategy(L model, OptimizerSpec spec, Consumer<Runnable> accumulate) {
    this.model = model;
    this.optimizer = spec.over(model.parameters());
    this.accumulate = accumulate;
  }

  static <L extends Layer & Forward> LocalStrategy<L> of(L model, OptimizerSpec spec) {
    return new LocalStrategy<>(model, spec, Runnable::run);
  }

  /// The last backward pass of a step averages all copies' gradients.
  static <L extends Layer & Forward> LocalStrategy<L> of(
      DistributedDataParallel<L> copy, OptimizerSpec spec) {
    return new LocalStrategy<>(copy.layer(), spec, copy::noSync);
  }

  @Override
  public double step(List<Batch> batches, Loss loss, @Nullable Clipping clipping) {
    optimizer.zeroGrad();
    double[] losses = new double[batches.size()];
    int last = losses.length - 1;
    accumulate.accept(
        () -> {
          for (int i = 0; i < last; i++) {
            losses[i] = backward(batches.get(i), batches, loss);
          }
        });
    losses[last] = backward(batches.get(last), batches, loss);
    if (clipping == null) {
      optimizer.step();
    } else {
      optimizer.step(clipping);
    }
    return Strategy.mean(batches, losses);
  }

  private double backward(Batch batch, List<Batch> batches, Loss loss) {
    Tensor value = loss.forward(model.forward(batch.inputs()), batch.targets());
    value.scale(Strategy.share(batch, batches)).backward();
    return value.itemDouble();
  }

  @Override
  public Tensor predict(Tensor inputs) {
    return Evaluation.call(() -> model.forward(inputs));
  }

  @Override
  public List<ParameterGroup<Tensor>> groups() {
    return optimizer.groups();
  }

  @Override
  public void addTo(Checkpoint checkpoint) {
    checkpoint.withModel("model", model).withOptimizer("optimizer", optimizer);
  }
}
