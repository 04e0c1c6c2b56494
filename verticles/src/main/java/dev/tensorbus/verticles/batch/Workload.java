// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.batch;

import static dev.tensorbus.nn.functional.Losses.l1Loss;
import static dev.tensorbus.nn.functional.Losses.nllLoss;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.onnx.CompiledLoss;
import dev.tensorbus.autograd.onnx.Device;
import dev.tensorbus.models.MnistNet;
import dev.tensorbus.models.data.Batch;
import dev.tensorbus.models.data.Dataset;
import dev.tensorbus.models.data.RandomStream;
import dev.tensorbus.models.digits.StrokeDigits;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.optim.checkpoint.Checkpoint;
import dev.tensorbus.verticles.WorkerOptions;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/// A model and its training task.
///
/// @param model the model to train
/// @param loss computes the model's loss on inputs and targets
/// @param random generates the model's first values and the next batches
/// @param draw generates a batch
record Workload(
    Layer model,
    BinaryOperator<Tensor> loss,
    RandomGenerator random,
    Function<RandomGenerator, Batch> draw) {
  /// Returns the task selected by the options; equally seeded generators yield equal models and
  /// batches.
  static Workload of(WorkerOptions options, RandomGenerator random) {
    int size = options.batchSize();
    return options.isOn(BatchProgram.IMAGES)
        ? images(size, random)
        : noise(
            size, options.whole(BatchProgram.INPUTS), options.whole(BatchProgram.OUTPUTS), random);
  }

  /// Returns the tutorial's task, which maps noise to zeros.
  private static Workload noise(int size, int inputs, int outputs, RandomGenerator random) {
    Linear model = new Linear(inputs, outputs, random);
    Tensor labels = Tensor.zeros(size, outputs);
    return new Workload(
        model,
        (x, wanted) -> l1Loss(model.forward(x), wanted),
        random,
        from -> new Batch(Tensor.randn(from, size, inputs), labels));
  }

  /// Returns a task for a larger model, which classifies images of digits.
  private static Workload images(int size, RandomGenerator random) {
    MnistNet model = new MnistNet(random);
    return new Workload(
        model,
        (images, wanted) -> nllLoss(model.forward(images), wanted),
        random,
        from -> Batch.of(StrokeDigits.draw(size, from)));
  }

  /// Returns the model's loss on the next batch.
  Tensor nextLoss() {
    return lossOf(draw.apply(random));
  }

  /// Returns the model's loss on a batch.
  Tensor lossOf(Batch batch) {
    return loss.apply(batch.inputs(), batch.targets());
  }

  /// Returns batches that depend only on the seed and their index.
  Dataset<Batch> batches(int count, long seed) {
    return Dataset.of(count, index -> draw.apply(RandomStream.of(seed, index)));
  }

  /// Returns what is saved of the model.
  Checkpoint checkpoint() {
    return new Checkpoint().withModel("model", model);
  }

  /// Returns the loss with its gradients, computed on a device.
  CompiledLoss compiled(Device device) {
    return CompiledLoss.ofAll(model, batch -> loss.apply(batch.get(0), batch.get(1)), device);
  }

  /// Returns a copy with another way to compute the loss.
  Workload withLoss(BinaryOperator<Tensor> other) {
    return new Workload(model, other, random, draw);
  }
}
