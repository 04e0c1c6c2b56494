// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.normalization;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Initializers;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.functional.Normalizations;

/// Normalizes each channel of `[n, channels, …]`. Training uses the mean and variance of the batch
/// and updates running averages, which evaluation uses. Like `torch.nn.BatchNorm1d`, `BatchNorm2d`
/// and `BatchNorm3d`.
public final class BatchNorm extends Layer implements Forward {
  /// The weight of a new batch in the running averages, as in torch.
  private static final double MOMENTUM = 0.1;

  private final Tensor weight;
  private final Tensor bias;
  private final Tensor runningMean;
  private final Tensor runningVar;
  private final Tensor batches;

  /// Creates a layer for the given number of channels.
  public BatchNorm(int channels) {
    Shape shape = Shape.of(channels);
    weight = parameter("weight", shape, Initializers.ones(channels));
    bias = parameter("bias", shape, new float[channels]);
    runningMean = buffer("running_mean", Tensor.zeros(channels));
    runningVar = buffer("running_var", Tensor.ones(channels));
    batches = buffer("num_batches_tracked", Tensor.full(Shape.SCALAR, DType.INT64, 0));
  }

  /// Returns a tensor of the same shape.
  ///
  /// @throws ShapeException if the number of channels is wrong or, in training, a channel has
  ///     fewer than two values
  @Override
  public Tensor forward(Tensor x) {
    double epsilon = Normalizations.EPSILON;
    if (!isTraining()) {
      return Normalizations.batchNorm(
          x, runningMean.detach(), runningVar.detach(), weight, bias, epsilon);
    }
    Normalizations.Batch batch = Normalizations.batchNorm(x, weight, bias, epsilon);
    track(batch.mean(), batch.variance(), x.shape().elements() / x.shape().size(1));
    return batch.values();
  }

  /// Updates the running averages. The running variance is unbiased.
  ///
  /// @param count the number of values per channel
  private void track(Tensor mean, Tensor variance, int count) {
    moveTo(runningMean, mean);
    moveTo(runningVar, variance.scale(count / (count - 1.0)));
    batches.replace(old -> old.to(DType.FLOAT64).addScalar(1).to(DType.INT64));
  }

  private static void moveTo(Tensor running, Tensor batch) {
    running.replace(
        old ->
            NoGrad.call(() -> old.scale(1 - MOMENTUM).add(batch.scale(MOMENTUM).to(old.dtype()))));
  }
}
