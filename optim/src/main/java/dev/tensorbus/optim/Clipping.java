// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import dev.tensorbus.optim.update.GradientChange;
import dev.tensorbus.optim.update.GradientNorms;

/// Keeps gradients from growing too large: by the norm of all numbers of all gradients, as
/// `torch.nn.utils.clip_grad_norm_` does, or each number for itself, as `clip_grad_value_`. A
/// setting of [Optimizer#step(Clipping)]; the gradients themselves stay as they are.
///
/// @param maxNorm the norm to which larger ones are scaled down
/// @param normType which norm: 2, another positive number, or infinity for the greatest number
/// @param maxValue how far a number may be from 0
public record Clipping(double maxNorm, double normType, double maxValue) {
  /// Torch adds this to the norm by which it divides.
  private static final double EPSILON = 1e-6;

  /// Checks the settings.
  ///
  /// @throws IllegalArgumentException if one is not positive
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

  /// Scales all gradients down alike until their norm is at most this.
  public static Clipping byNorm(double maxNorm) {
    return new Clipping(maxNorm, 2, Double.POSITIVE_INFINITY);
  }

  /// Brings each number between minus and plus this.
  public static Clipping byValue(double maxValue) {
    return new Clipping(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, maxValue);
  }

  /// The same by another norm; infinity for the greatest number.
  public Clipping withNormType(double normType) {
    return new Clipping(maxNorm, normType, maxValue);
  }

  /// The norm of all gradients together.
  ///
  /// @param norms of the gradients, each by itself
  public double total(double... norms) {
    return GradientNorms.total(norms, normType);
  }

  /// The change to make to gradients that have this norm together.
  public GradientChange change(double norm) {
    double factor = Double.isInfinite(maxNorm) ? 1 : Math.min(1, maxNorm / (norm + EPSILON));
    return new GradientChange(factor, maxValue);
  }
}
