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
import dev.tensorbus.rpc.parallel.DistributedDataParallel;
import dev.tensorbus.rpc.parallel.RemoteLayer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Where a model is and how it takes a step. After the strategies of PyTorch Lightning.
sealed interface Strategy permits LocalStrategy, CopyStrategy, ServerStrategy {
  /// A model in this process.
  static <L extends Layer & Forward> Strategy here(L model, OptimizerSpec optimizer) {
    return new LocalStrategy<>(model, optimizer);
  }

  /// One of several copies.
  static <L extends Layer & Forward> Strategy copy(
      DistributedDataParallel<L> copy, OptimizerSpec optimizer) {
    return new CopyStrategy<>(copy, optimizer);
  }

  /// A model on another worker.
  static Strategy there(Rpc rpc, RemoteLayer<? extends Layer> model, OptimizerSpec optimizer) {
    return new ServerStrategy(rpc, model, optimizer);
  }

  /// Takes one step by the gradient of these batches as one. Changes nothing if no value counts.
  ///
  /// @return their loss before the step
  TotalLoss step(List<Batch> batches, Loss loss, @Nullable Clipping clipping);

  /// The model's result in evaluation.
  Tensor predict(Tensor inputs);

  /// The parameters with their present settings, for schedules.
  List<? extends ParameterGroup<?>> groups();

  /// Adds the model and the optimizer.
  void addTo(Checkpoint checkpoint);

  /// Checks that steps update the whole model.
  ///
  /// @throws IllegalStateException if not
  default void requireComplete() {}

  /// Whether this trainer writes the checkpoints, and its decisions hold for all copies.
  default boolean isFirst() {
    return true;
  }

  /// Brings a value for each copy and returns those of all by worker, the first's first.
  default <T> Map<String, T> gather(T value) {
    return Map.of("this worker", value);
  }

  /// Restores the newest checkpoint, on all copies that of the first.
  ///
  /// @param newest finds it, if there is one
  /// @return whether there is one
  default boolean restore(Checkpoint checkpoint, Supplier<Optional<Path>> newest) {
    Optional<Path> path = newest.get();
    path.ifPresent(checkpoint::restore);
    return path.isPresent();
  }

  /// Goes backward from the loss of these batches as one. A batch without a value that counts is
  /// left out: its loss is NaN.
  ///
  /// @param forward computes the model's results
  /// @param backward takes each batch's part of the loss
  /// @return their loss
  static TotalLoss backward(
      List<Batch> batches, Loss loss, UnaryOperator<Tensor> forward, Consumer<Tensor> backward) {
    double[] weights =
        batches.stream().mapToDouble(batch -> loss.weight(batch.targets())).toArray();
    double all = Arrays.stream(weights).sum();
    TotalLoss total = TotalLoss.none(loss);
    for (int i = 0; i < weights.length; i++) {
      if (weights[i] != 0) {
        Batch batch = batches.get(i);
        Tensor value = loss.forward(forward.apply(batch.inputs()), batch.targets());
        backward.accept(value.scale(total.share(weights[i], all)));
        total = total.plus(value.itemDouble(), weights[i]);
      }
    }
    return total;
  }
}
