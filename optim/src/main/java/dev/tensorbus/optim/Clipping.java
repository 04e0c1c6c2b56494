// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import dev.tensorbus.optim.update.GradientChange;
import dev.tensorbus.optim.update.GradientNorms;

/// Gradient clipping for [Optimizer#step(Clipping)]: by the total norm of all gradients, like
/// `torch.nn.utils.clip_grad_norm_`, or by value, like `clip_grad_value_`. The gradients themselves
/// are not modified.
///
/// @param maxNorm maximum total norm; gradients that exceed it are scaled down
/// @param normType order of the norm: a positive number, such as 2, or infinity for the maximum
/// @param maxValue maximum absolute value
public record Clipping(double maxNorm, double normType, double maxValue) {
  /// Added to the norm before the division, as in torch.
  private static final double EPSILON = 1e-6;

  /// @throws IllegalArgumentException if a setting is not positive
  public Clipping {
    requirePositive("norm", maxNorm);
    requirePositive("norm type", normType);
    requirePositive("value", maxValue);
  }

  private static void requirePositive(String setting, double value) {
    if (!(value > 0)) {
      throw new IllegalArgumentException("clipping: " + setting + " " + value + " must be above 0");
    }
  }

  /// Returns a setting that clips by norm: all gradients are scaled by one factor, so that their
  /// total norm is at most `maxNorm`.
  public static Clipping byNorm(double maxNorm) {
    return new Clipping(maxNorm, 2, Double.POSITIVE_INFINITY);
  }

  /// Returns a setting that clips by value: each value is clamped to `[-maxValue, maxValue]`.
  public static Clipping byValue(double maxValue) {
    return new Clipping(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, maxValue);
  }

  /// Returns a copy with a different norm order. Infinity selects the maximum norm.
  public Clipping withNormType(double normType) {
    return new Clipping(maxNorm, normType, maxValue);
  }

  /// Returns the total norm of all gradients.
  ///
  /// @param norms the norm of each gradient
  public double total(double... norms) {
    return GradientNorms.total(norms, normType);
  }

  /// Returns the change to apply to gradients with this total norm.
  public GradientChange change(double norm) {
    double factor = Double.isInfinite(maxNorm) ? 1 : Math.min(1, maxNorm / (norm + EPSILON));
    return new GradientChange(factor, maxValue);
  }
}
