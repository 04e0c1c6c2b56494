// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import org.junit.jupiter.api.Test;

final class NormalDistributionTest {
  /// Pairs of x and Python's `math.erfc(-x / math.sqrt(2)) / 2`.
  private static final double[] REFERENCE = {
    -37.0, 5.725571222525139e-300,
    -10.0, 7.619853024160593e-24,
    -5.0, 2.866515718791946e-07,
    -3.0001, 0.001349454913260717,
    -3.0, 0.0013498980316300957,
    -2.9999, 0.0013503412829549248,
    -1.0, 0.15865525393145707,
    -0.1, 0.460172162722971,
    1e-09, 0.5000000003989423,
    0.5, 0.6914624612740131,
    2.5, 0.9937903346742238,
    3.0, 0.9986501019683699,
    6.0, 0.9999999990134123,
  };

  @Test
  void probabilitiesAreRightToTheLastBitsFarOutToo() {
    for (int i = 0; i < REFERENCE.length; i += 2) {
      assertThat(NormalDistribution.probability(REFERENCE[i]))
          .as("below %s", REFERENCE[i])
          .isCloseTo(REFERENCE[i + 1], withinPercentage(1e-11));
    }
  }

  @Test
  void theEndsAreZeroAndOne() {
    assertThat(NormalDistribution.probability(Double.NEGATIVE_INFINITY)).isZero();
    assertThat(NormalDistribution.probability(Double.POSITIVE_INFINITY)).isEqualTo(1);
    assertThat(NormalDistribution.probability(0)).isEqualTo(0.5);
    assertThat(NormalDistribution.probability(Double.NaN)).isNaN();
  }
}
