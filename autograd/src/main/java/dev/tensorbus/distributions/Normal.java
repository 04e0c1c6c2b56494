// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.distributions;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.op.Compute;
import java.util.random.RandomGenerator;

/// The normal distribution. Like `torch.distributions.Normal`.
public final class Normal implements Distribution {
  private static final double LOG_ROOT_TWO_PI = 0.5 * Math.log(2 * Math.PI);

  private final Tensor mean;
  private final Tensor deviation;

  /// @param mean the mean
  /// @param deviation the standard deviation, of the same shape and greater than 0
  /// @throws ShapeException if the shapes differ
  /// @throws IllegalArgumentException if a mean is NaN, or a deviation is not positive
  public Normal(Tensor mean, Tensor deviation) {
    if (!mean.shape().equals(deviation.shape())) {
      throw new ShapeException(
          "normal",
          "the shapes of mean %s and deviation %s differ"
              .formatted(mean.shape(), deviation.shape()));
    }
    double[] means = Compute.doubles(mean);
    double[] deviations = Compute.doubles(deviation);
    for (int i = 0; i < means.length; i++) {
      if (Double.isNaN(means[i]) || !(deviations[i] > 0)) {
        throw new IllegalArgumentException(
            ("normal: mean %s and deviation %s at index %d; expected a mean that is not NaN and a"
                    + " deviation above 0")
                .formatted(means[i], deviations[i], i));
      }
    }
    this.mean = mean;
    this.deviation = deviation;
  }

  @Override
  public Shape batchShape() {
    return mean.shape();
  }

  @Override
  public Tensor sample(RandomGenerator random) {
    return differentiableSample(random).detach();
  }

  /// Draws a sample through which mean and deviation receive gradients (the reparameterization
  /// trick): Kingma and Welling, "Auto-Encoding Variational Bayes" (2014). Like torch's `rsample`.
  public Tensor differentiableSample(RandomGenerator random) {
    Tensor noise = Tensor.randn(random, batchShape().toArray()).to(mean.dtype());
    return mean.add(deviation.mul(noise));
  }

  @Override
  public Tensor logProbability(Tensor value) {
    Tensor distance = value.sub(mean).div(deviation);
    return distance.mul(distance).scale(-0.5).sub(deviation.log()).sub(constant(LOG_ROOT_TWO_PI));
  }

  @Override
  public Tensor entropy() {
    return deviation.log().add(constant(0.5 + LOG_ROOT_TWO_PI));
  }

  private Tensor constant(double value) {
    return Tensor.full(Shape.SCALAR, mean.dtype(), value);
  }
}
