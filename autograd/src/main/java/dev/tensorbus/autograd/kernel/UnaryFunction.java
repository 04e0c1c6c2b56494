// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

/// A function of one number, with its derivative. [UnaryFunctions] has the functions without
/// parameters.
public sealed interface UnaryFunction
    permits UnaryFunction.Power, UnaryFunction.Clamp, UnaryFunction.LeakyRelu, UnaryFunctions {
  /// Returns the value at `x`.
  double at(double x);

  /// Returns the derivative, from the value that the backward pass keeps: `x`, or the result.
  double derivative(double kept);

  /// Returns the derivative times the gradient of the result. Where the derivative is 0, so is
  /// this, even for an infinite gradient.
  default double gradient(double kept, double gradient) {
    double derivative = derivative(kept);
    return derivative == 0 ? 0 : gradient * derivative;
  }

  /// Returns whether the backward pass keeps the result instead of `x`.
  default boolean keepsResult() {
    return false;
  }

  /// `x` to the power of `exponent`.
  record Power(double exponent) implements UnaryFunction {
    @Override
    public double at(double x) {
      return Math.pow(x, exponent);
    }

    @Override
    public double derivative(double x) {
      return exponent == 0 ? 0 : exponent * Math.pow(x, exponent - 1);
    }
  }

  /// Clamps to two bounds; `max` if `min` is above it. At a bound the derivative is 1. Both as in
  /// torch.
  record Clamp(double min, double max) implements UnaryFunction {
    @Override
    public double at(double x) {
      double raised = x < min ? min : x;
      return raised > max ? max : raised;
    }

    @Override
    public double derivative(double x) {
      return x >= min && x <= max ? 1 : 0;
    }
  }

  /// `x` where positive, else `negativeSlope * x`.
  record LeakyRelu(double negativeSlope) implements UnaryFunction {
    @Override
    public double at(double x) {
      return x > 0 ? x : x * negativeSlope;
    }

    @Override
    public double derivative(double x) {
      return x > 0 ? 1 : negativeSlope;
    }
  }
}
