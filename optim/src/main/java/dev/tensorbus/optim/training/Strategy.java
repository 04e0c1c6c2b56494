// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.Batch;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.loss.Loss;
import dev.tensorbus.optim.Clipping;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.ParameterGroup;
import dev.tensorbus.optim.checkpoint.Checkpoint;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.nn.DistributedDataParallel;
import dev.tensorbus.rpc.nn.RemoteLayer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where a model is and how it takes a step. After the strategies of PyTorch Lightning.
sealed interface Strategy permits LocalStrategy, ServerStrategy {
  /// A model in this process.
  static <L extends Layer & Forward> Strategy here(L model, OptimizerSpec optimizer) {
    return LocalStrategy.of(model, optimizer);
  }

  /// One of several copies.
  static <L extends Layer & Forward> Strategy copy(
      DistributedDataParallel<L> copy, OptimizerSpec optimizer) {
    return LocalStrategy.of(copy, optimizer);
  }

  /// A model on another worker.
  static Strategy there(Rpc rpc, RemoteLayer<? extends Layer> model, OptimizerSpec optimizer) {
    return new ServerStrategy(rpc, model, optimizer);
  }

  /// Takes one step by the mean gradient of these batches.
  ///
  /// @return the mean loss of their examples, before the step
  double step(List<Batch> batches, Loss loss, @Nullable Clipping clipping);

  /// The model's result in evaluation.
  Tensor predict(Tensor inputs);

  /// The parameters with their present settings, for schedules.
  List<? extends ParameterGroup<?>> groups();

  /// Adds the model and the optimizer.
  void addTo(Checkpoint checkpoint);

  /// The mean of losses, each weighed by the number of its examples.
  static double mean(List<Batch> batches, double... losses) {
    double sum = 0;
    long examples = 0;
    for (int i = 0; i < losses.length; i++) {
      sum += losses[i] * batches.get(i).size();
      examples += batches.get(i).size();
    }
    return sum / examples;
  }

  /// The part of a batch in the gradient of all batches of a step: its share of their examples.
  static double share(Batch batch, List<Batch> batches) {
    return (double) batch.size() / batches.stream().mapToLong(Batch::size).sum();
  }
}
