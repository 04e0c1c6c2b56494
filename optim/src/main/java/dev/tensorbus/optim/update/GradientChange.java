// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.update;

import dev.tensorbus.autograd.Tensor;

/// A change, such as clipping, that is applied to each gradient of a step. It is the same on all
/// workers.
///
/// @param factor the factor by which each value is multiplied
/// @param limit maximum absolute value
public record GradientChange(double factor, double limit) {
  /// Leaves gradients unchanged.
  public static final GradientChange NONE = new GradientChange(1, Double.POSITIVE_INFINITY);

  /// Returns a gradient with this change.
  public Tensor of(Tensor gradient) {
    Tensor scaled = factor == 1 ? gradient : gradient.scale(factor);
    return limit < Double.POSITIVE_INFINITY ? scaled.clamp(-limit, limit) : scaled;
  }

  /// Returns a rule that applies this change to the gradient and then runs `rule`.
  public UpdateRule before(UpdateRule rule) {
    if (equals(NONE)) {
      return rule;
    }
    boolean isScaled = factor != 1;
    boolean isLimited = limit < Double.POSITIVE_INFINITY;
    return blocks -> {
      if (isScaled) {
        blocks.gradient().mul(factor);
      }
      if (isLimited) {
        blocks.gradient().clamp(-limit, limit);
      }
      rule.update(blocks);
    };
  }
}
