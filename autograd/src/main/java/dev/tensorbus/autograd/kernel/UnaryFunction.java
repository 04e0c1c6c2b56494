// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

/// A function of one variable, with its derivative. [UnaryFunctions] lists the functions without
/// parameters.
public sealed interface UnaryFunction
    permits UnaryFunction.Power, UnaryFunction.Clamp, UnaryFunction.LeakyRelu, UnaryFunctions {
  /// Returns the value at `x`.
  double at(double x);

  /// Returns the derivative at `x`.
  ///
  /// @param kept the value saved for the backward pass: the result if [#keepsResult], else `x`
  double derivative(double kept);

  /// Returns the derivative times the gradient of the result. If the derivative is 0, this is 0
  /// even for an infinite gradient.
  default double gradient(double kept, double gradient) {
    double derivative = derivative(kept);
    return derivative == 0 ? 0 : gradient * derivative;
  }

  /// Returns whether the result is saved for the backward pass instead of `x`.
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

  /// Clamps to two bounds. As in torch, the result is `max` if `min > max`, and the derivative at a
  /// bound is 1.
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

  /// `x` if positive, else `negativeSlope * x`.
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
