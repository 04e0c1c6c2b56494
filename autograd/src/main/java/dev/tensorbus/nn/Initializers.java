// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import dev.tensorbus.autograd.Tensor;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/// The values that parameters start from. After `torch.nn.init`.
public final class Initializers {
  private Initializers() {}

  /// Uniform in `±1 / sqrt(fanIn)`, torch's default for the weights and biases of most layers: He
  /// et al., "Delving Deep into Rectifiers" (2015), with torch's `a = sqrt(5)`.
  ///
  /// @param fanIn how many inputs each result depends on
  public static float[] uniform(int count, int fanIn, RandomGenerator random) {
    return within(1 / Math.sqrt(fanIn), count, random);
  }

  /// Uniform in `±sqrt(6 / (fanIn + fanOut))`: Glorot and Bengio, "Understanding the Difficulty
  /// of Training Deep Feedforward Neural Networks" (2010). After `torch.nn.init.xavier_uniform_`.
  public static float[] xavier(int count, int fanIn, int fanOut, RandomGenerator random) {
    return within(Math.sqrt(6.0 / (fanIn + fanOut)), count, random);
  }

  /// Gives a parameter new values, uniform in `±bound`. After `torch.nn.init.uniform_`.
  public static void uniform(Tensor parameter, double bound, RandomGenerator random) {
    parameter.update(old -> within(bound, old.length, random));
  }

  private static float[] within(double bound, int count, RandomGenerator random) {
    float[] values = new float[count];
    for (int i = 0; i < count && bound > 0; i++) {
      values[i] = random.nextFloat((float) -bound, (float) bound);
    }
    return values;
  }

  /// Ones.
  public static float[] ones(int count) {
    float[] values = new float[count];
    Arrays.fill(values, 1f);
    return values;
  }

  /// Standard normal. After `torch.nn.init.normal_`.
  public static float[] normal(int count, RandomGenerator random) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return values;
  }
}
