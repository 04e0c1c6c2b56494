// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import java.util.Arrays;
import java.util.function.DoubleSupplier;
import java.util.random.RandomGenerator;

/// Initial values of parameters. Like `torch.nn.init`.
public final class Initializers {
  private Initializers() {}

  /// Returns uniform values in `±1 / sqrt(fanIn)`, torch's default for the weights and biases of
  /// most layers: He et al., "Delving Deep into Rectifiers" (2015), with torch's `a = sqrt(5)`.
  ///
  /// @param fanIn the number of inputs that each output depends on
  public static float[] uniform(int count, int fanIn, RandomGenerator random) {
    return within(1 / Math.sqrt(fanIn), count, random);
  }

  /// Returns uniform values in `±sqrt(6 / (fanIn + fanOut))`: Glorot and Bengio, "Understanding
  /// the Difficulty of Training Deep Feedforward Neural Networks" (2010). Like
  /// `torch.nn.init.xavier_uniform_`.
  public static float[] xavier(int count, int fanIn, int fanOut, RandomGenerator random) {
    return within(Math.sqrt(6.0 / (fanIn + fanOut)), count, random);
  }

  /// Fills a parameter with uniform values in `±bound`. Like `torch.nn.init.uniform_`.
  public static void uniform(Tensor parameter, double bound, RandomGenerator random) {
    set(parameter, () -> within(bound, random));
  }

  /// Fills a parameter with a constant. Like `torch.nn.init.constant_`.
  public static void constant(Tensor parameter, double value) {
    set(parameter, () -> value);
  }

  /// Fills a parameter with normal values. Like `torch.nn.init.normal_`.
  public static void normal(
      Tensor parameter, double mean, double deviation, RandomGenerator random) {
    set(parameter, () -> mean + deviation * random.nextGaussian());
  }

  /// Fills a parameter with normal values of mean 0. Values beyond two standard deviations are
  /// drawn again. Like `torch.nn.init.trunc_normal_`, but with bounds that depend on the deviation.
  public static void truncatedNormal(Tensor parameter, double deviation, RandomGenerator random) {
    set(parameter, () -> deviation * withinTwo(random));
  }

  private static double withinTwo(RandomGenerator random) {
    double drawn = random.nextGaussian();
    while (Math.abs(drawn) > 2) {
      drawn = random.nextGaussian();
    }
    return drawn;
  }

  /// Fills weights `[outputs, inputs, …]` with uniform values in `±sqrt(6 / (fanIn + fanOut))`, for
  /// layers with sigmoid or tanh activations: Glorot and Bengio (2010). Like
  /// `torch.nn.init.xavier_uniform_`.
  ///
  /// @throws ShapeException if there are fewer than two axes
  public static void xavierUniform(Tensor weights, RandomGenerator random) {
    uniform(weights, Math.sqrt(6.0 / (fanIn(weights) + fanOut(weights))), random);
  }

  /// Fills weights `[outputs, inputs, …]` with normal values of the same variance as
  /// [#xavierUniform]. Like `torch.nn.init.xavier_normal_`.
  ///
  /// @throws ShapeException if there are fewer than two axes
  public static void xavierNormal(Tensor weights, RandomGenerator random) {
    normal(weights, 0, Math.sqrt(2.0 / (fanIn(weights) + fanOut(weights))), random);
  }

  /// Fills weights `[outputs, inputs, …]` with uniform values in `±sqrt(6 / fanIn)`, for layers
  /// before a ReLU: He et al. (2015). Like `torch.nn.init.kaiming_uniform_` with
  /// `nonlinearity="relu"`.
  ///
  /// @throws ShapeException if there are fewer than two axes
  public static void kaimingUniform(Tensor weights, RandomGenerator random) {
    uniform(weights, Math.sqrt(6.0 / fanIn(weights)), random);
  }

  /// Fills weights `[outputs, inputs, …]` with normal values of the same variance as
  /// [#kaimingUniform]. Like `torch.nn.init.kaiming_normal_` with `nonlinearity="relu"`.
  ///
  /// @throws ShapeException if there are fewer than two axes
  public static void kaimingNormal(Tensor weights, RandomGenerator random) {
    normal(weights, 0, Math.sqrt(2.0 / fanIn(weights)), random);
  }

  private static int fanIn(Tensor weights) {
    return requireMatrix(weights).elements() / Math.max(1, weights.shape().size(0));
  }

  private static int fanOut(Tensor weights) {
    return requireMatrix(weights).elements() / Math.max(1, weights.shape().size(1));
  }

  private static Shape requireMatrix(Tensor weights) {
    if (weights.shape().rank() < 2) {
      throw new ShapeException(
          "initializer",
          "weights %s have fewer than two axes, so no inputs and outputs; use uniform or normal"
              .formatted(weights.shape()));
    }
    return weights.shape();
  }

  private static void set(Tensor parameter, DoubleSupplier value) {
    parameter.replace(
        old -> {
          double[] values = new double[old.shape().elements()];
          Arrays.setAll(values, _ -> value.getAsDouble());
          return Tensor.of(old.shape(), values).to(old.dtype());
        });
  }

  private static float[] within(double bound, int count, RandomGenerator random) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = within(bound, random);
    }
    return values;
  }

  private static float within(double bound, RandomGenerator random) {
    return bound > 0 ? random.nextFloat((float) -bound, (float) bound) : 0;
  }

  /// Returns `count` ones.
  public static float[] ones(int count) {
    float[] values = new float[count];
    Arrays.fill(values, 1f);
    return values;
  }

  /// Returns standard normal values, as [Tensor#randn] does. Like `torch.nn.init.normal_`.
  public static float[] normal(int count, RandomGenerator random) {
    return Tensor.randn(random, count).values();
  }
}
