// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

/// A function of one number, with its derivative beside it. [Curves] has those without settings.
public sealed interface Curve permits Curve.Power, Curve.Clamp, Curve.LeakyRelu, Curves {
  /// The value at `x`.
  double at(double x);

  /// The derivative, from what the backward pass keeps: `x`, or the value there.
  double slope(double kept);

  /// Whether the backward pass keeps the values instead of where they were taken.
  default boolean keepsResult() {
    return false;
  }

  /// `x` to this power.
  record Power(double exponent) implements Curve {
    @Override
    public double at(double x) {
      return Math.pow(x, exponent);
    }

    @Override
    public double slope(double x) {
      return exponent == 0 ? 0 : exponent * Math.pow(x, exponent - 1);
    }
  }

  /// The nearest value between two bounds. At a bound the derivative is 1, as in torch.
  record Clamp(double min, double max) implements Curve {
    @Override
    public double at(double x) {
      return x < min ? min : x > max ? max : x;
    }

    @Override
    public double slope(double x) {
      return x >= min && x <= max ? 1 : 0;
    }
  }

  /// `x` where positive, else a part of it.
  record LeakyRelu(double negativeSlope) implements Curve {
    @Override
    public double at(double x) {
      return x > 0 ? x : x * negativeSlope;
    }

    @Override
    public double slope(double x) {
      return x > 0 ? 1 : negativeSlope;
    }
  }
}
