// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tensorbus.autograd.kernel.scalar.ScalarKernels;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Whether normal values are those of the paper, and normal.
final class BoxMullerTest {
  private static final long SEED = Long.getLong("seed", 1);
  private static final String NAME = "seed " + SEED;

  /// Nothing, one value, around one block of pairs and around several.
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 1023, 1024, 1025, 1026, 10_001})
  void aPairIsAPointAtARandomAngleAndDistance(int size) {
    float[] values = normals(SEED, size);
    SplittableRandom random = new SplittableRandom(SEED);
    int half = (size + 1) / 2;
    for (int pair = 0; pair < half; pair++) {
      long bits = random.nextLong();
      double radius = Math.sqrt(-2 * Math.log(uniform((int) (bits >>> 32))));
      double angle = ((int) bits >> 1) * (Math.PI * 0x1p-31) + (bits & 1) * Math.PI;
      double tolerance = 3e-7 * radius;
      String name = "pair %d of %d, seed %d".formatted(pair, size, SEED);
      assertThat((double) values[pair])
          .as(name)
          .isCloseTo(radius * Math.cos(angle), within(tolerance));
      if (half + pair < size) {
        assertThat((double) values[half + pair])
            .as(name)
            .isCloseTo(radius * Math.sin(angle), within(tolerance));
      }
    }
  }

  /// The trailing zeros say in which octave below 1 the number lies, the leading bits where there.
  private static double uniform(int bits) {
    double fraction = 1 + (bits >>> 9) * 0x1p-23;
    return fraction * Math.pow(2, -1 - Integer.numberOfTrailingZeros(bits));
  }

  /// Four standard errors around each moment.
  @Test
  void momentsAreThoseOfTheNormalDistribution() {
    int n = 1 << 22;
    double[] sums = new double[5];
    for (float value : normals(SEED, n)) {
      for (int power = 1; power <= 4; power++) {
        sums[power] += Math.pow(value, power);
      }
    }
    double error = 4 / Math.sqrt(n);
    assertThat(sums[1] / n).as(NAME).isCloseTo(0, within(error));
    assertThat(sums[2] / n).as(NAME).isCloseTo(1, within(error * Math.sqrt(2)));
    assertThat(sums[3] / n).as(NAME).isCloseTo(0, within(error * Math.sqrt(15)));
    assertThat(sums[4] / n).as(NAME).isCloseTo(3, within(error * Math.sqrt(96)));
  }

  /// The test of Kolmogorov and Smirnov; one seed of a million is further off.
  @Test
  void aMillionValuesAreDistributedNormally() {
    float[] values = normals(SEED, 1_000_000);
    Arrays.sort(values);
    double distance = 0;
    for (int i = 0; i < values.length; i++) {
      double probability = NormalDistribution.probability(values[i]);
      distance = Math.max(distance, probability - i / 1e6);
      distance = Math.max(distance, (i + 1) / 1e6 - probability);
    }
    assertThat(distance).as(NAME).isLessThan(2.7 / Math.sqrt(1e6));
  }

  /// Five standard errors around the values that 16 M have further out than 3, 4 and 5.
  @Test
  void tailsHaveAsManyValuesAsTheyShould() {
    float[] values = normals(SEED, 1 << 24);
    for (int far = 3; far <= 5; far++) {
      double expected = 2 * NormalDistribution.probability(-far) * values.length;
      int beyond = 0;
      for (float value : values) {
        beyond += Math.abs(value) > far ? 1 : 0;
      }
      assertThat((double) beyond)
          .as("beyond %d, seed %d", far, SEED)
          .isCloseTo(expected, within(5 * Math.sqrt(expected)));
    }
  }

  /// Neither of a pair says anything about the other one, nor of its neighbours, nor a seed of the
  /// next one: no correlation is greater than four standard errors.
  @Test
  void valuesAreIndependent() {
    int n = 1 << 20;
    float[] values = normals(SEED, 2 * n);
    float[] next = normals(SEED + 1, 2 * n);
    double[] sums = new double[4];
    for (int i = 0; i < n; i++) {
      sums[0] += values[i] * values[n + i];
      sums[1] += values[i] * values[i + 1];
      sums[2] += values[i] * next[i];
      sums[3] += (values[i] * values[i] - 1) * (values[n + i] * values[n + i] - 1) / 2;
    }
    assertThat(sums).as(NAME).containsExactly(new double[4], within(4 * Math.sqrt(n)));
  }

  private static float[] normals(long seed, int size) {
    float[] values = new float[size];
    new ScalarKernels().normal(seed, values);
    return values;
  }
}
