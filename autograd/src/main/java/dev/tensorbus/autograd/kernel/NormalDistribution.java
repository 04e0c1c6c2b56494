// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

/// The standard normal distribution, accurate to the last bits of a double.
final class NormalDistribution {
  /// Above this absolute value, the continued fraction converges faster than the series.
  private static final double FAR = 3;

  private NormalDistribution() {}

  /// Returns the density at `x`.
  static double density(double x) {
    return Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI);
  }

  /// Returns the probability of a value below `x`.
  static double probability(double x) {
    if (Double.isNaN(x)) {
      return x;
    }
    if (Math.abs(x) < FAR) {
      return 0.5 + density(x) * series(x);
    }
    double tail = density(x) * fraction(Math.abs(x));
    return x < 0 ? tail : 1 - tail;
  }

  /// Returns `x + x³/3 + x⁵/(3·5) + …` (Abramowitz and Stegun 26.2.11).
  private static double series(double x) {
    double term = x;
    double sum = 0;
    for (int odd = 3; sum + term != sum; odd += 2) {
      sum += term;
      term *= x * x / odd;
    }
    return sum;
  }

  /// Returns `1/(x + 1/(x + 2/(x + 3/(x + …))))` (Abramowitz and Stegun 26.2.14), evaluated from
  /// the innermost level outwards. For `x = 3`, the smallest argument used, 150 levels are enough
  /// for full precision.
  private static double fraction(double x) {
    double below = x;
    for (int level = 150; level > 0; level--) {
      below = x + level / below;
    }
    return 1 / below;
  }
}
