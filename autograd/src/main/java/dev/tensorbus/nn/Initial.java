// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import java.util.random.RandomGenerator;

/// The values that parameters start from.
final class Initial {
  private Initial() {}

  /// Uniform in `±1 / sqrt(fanIn)`, torch's default for weights and biases of linear layers and
  /// convolutions: He et al., "Delving Deep into Rectifiers" (2015), with torch's `a = sqrt(5)`.
  ///
  /// @param fanIn how many inputs each result depends on
  static float[] uniform(int count, int fanIn, RandomGenerator random) {
    float bound = (float) (1 / Math.sqrt(fanIn));
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = random.nextFloat(-bound, bound);
    }
    return values;
  }
}
