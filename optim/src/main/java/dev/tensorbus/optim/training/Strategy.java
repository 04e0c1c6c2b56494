// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.optim.Clipping;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.ParameterGroup;
import dev.tensorbus.optim.checkpoint.Checkpoint;
import dev.tensorbus.optim.server.ParameterStore;
import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.parallel.DistributedDataParallel;
import dev.tensorbus.rpc.parallel.RemoteLayer;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Trains a model wherever it is: in this process, as one of several copies, or on another worker.
/// Like the strategies of PyTorch Lightning.
sealed interface Strategy permits LocalStrategy, CopyStrategy, ServerStrategy, StoreStrategy {
  /// Returns the strategy for a model in this process.
  static Strategy here(Layer model, OptimizerSpec optimizer) {
    return new LocalStrategy(model, optimizer);
  }

  /// Returns the strategy for one of several copies of a model.
  static Strategy copy(DistributedDataParallel<? extends Layer> copy, OptimizerSpec optimizer) {
    return new CopyStrategy(copy, optimizer);
  }

  /// Returns the strategy for a model on another worker.
  static Strategy there(Rpc rpc, RemoteLayer<? extends Layer> model, OptimizerSpec optimizer) {
    return new ServerStrategy(rpc, model, optimizer);
  }

  /// Returns the strategy for a model whose parameters live on parameter servers.
  ///
  /// @param stores the stores of the model's parts, or the one of the whole model
  static Strategy stores(Layer model, List<? extends ParameterStore<?>> stores) {
    return new StoreStrategy(model, stores);
  }

  /// Takes one step with several batches, as if they were one batch. Changes nothing if no target
  /// contributes to the loss.
  ///
  /// @return the loss before the step
  <B> TotalLoss step(List<B> batches, TrainingStep<B> step, @Nullable Clipping clipping);

  /// Takes one step with batches of the shards that this trainer has to compute.
  ///
  /// @param batches returns the batches of a shard, below [#shards]
  /// @return the loss before the step on these batches
  default <B> TotalLoss stepOver(
      IntFunction<List<B>> batches, TrainingStep<B> step, @Nullable Clipping clipping) {
    return step(batches.apply(0), step, clipping);
  }

  /// Returns the number of shards into which the trainer splits its data. Usually, there is one.
  default int shards() {
    return 1;
  }

  /// Returns the number of steps that the model has taken, if it may take some without this
  /// trainer.
  default OptionalLong steps() {
    return OptionalLong.empty();
  }

  /// Returns the parameter groups, for schedules.
  List<? extends ParameterGroup<?>> groups();

  /// Adds the model and the optimizer to a checkpoint.
  void addTo(Checkpoint checkpoint);

  /// Checks that steps update all parameters of the model.
  ///
  /// @throws IllegalStateException if they do not
  default void requireComplete() {}

  /// Returns the progress of the worker on which the model is trained.
  default Progress progress() {
    return Progress.NONE;
  }

  /// Returns the model whose forward passes run in this process, unless it is on another worker.
  default Optional<Layer> model() {
    return Optional.empty();
  }

  /// Returns whether this trainer writes the checkpoints and decides for all copies.
  default boolean isFirst() {
    return true;
  }

  /// Gathers one value from each copy. Returns the values by worker name, the first copy first.
  default <T> Map<String, T> gather(T value) {
    return Map.of("this worker", value);
  }

  /// Restores the newest checkpoint. If there are several copies, all of them restore the first
  /// copy's checkpoint.
  ///
  /// @param newest finds the newest checkpoint
  /// @return whether there was a checkpoint
  default boolean restore(Checkpoint checkpoint, Supplier<Optional<Path>> newest) {
    Optional<Path> path = newest.get();
    path.ifPresent(checkpoint::restore);
    return path.isPresent();
  }

  /// Continues a run whose model and optimizer have been restored.
  ///
  /// @param steps the number of its steps so far
  default void resumeAt(long steps) {}

  /// Returns whether others have taken steps of this run before this trainer.
  default boolean hasBegun() {
    return false;
  }

  /// Fetches the state that a checkpoint contains, if other workers have it.
  ///
  /// @param steps the number of steps after which the checkpoint is taken
  /// @return whether they have it as of this step
  default boolean fetch(long steps) {
    return true;
  }

  /// Runs an action that writes a checkpoint. If others wait for this trainer's next step, it may
  /// do so in the background.
  default void write(Runnable action) {
    action.run();
  }

  /// Returns a future that completes when the last checkpoint is written, or fails if it cannot be.
  default Future<Void> written() {
    return Future.succeededFuture();
  }

  /// Runs the backward pass for several batches, as if they were one batch. Skips a batch if none
  /// of its targets contributes to the loss, which would be NaN.
  ///
  /// @param backward runs a backward pass from one batch's contribution to the loss
  /// @return the loss of all batches
  static <B> TotalLoss backward(List<B> batches, TrainingStep<B> step, Consumer<Tensor> backward) {
    double[] weights = batches.stream().mapToDouble(step::weight).toArray();
    double all = Arrays.stream(weights).sum();
    TotalLoss total = TotalLoss.none(step.reduction());
    for (int i = 0; i < weights.length; i++) {
      if (weights[i] != 0) {
        Tensor value = step.loss(batches.get(i));
        backward.accept(value.scale(total.share(weights[i], all)));
        total = total.plus(value.itemDouble(), weights[i]);
      }
    }
    return total;
  }
}
