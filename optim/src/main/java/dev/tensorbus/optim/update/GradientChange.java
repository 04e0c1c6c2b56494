// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.update;

/// The change that a clipping makes to each gradient of a step, the same on all workers.
///
/// @param factor by which each number is multiplied
/// @param limit to which each number is brought, plus or minus
public record GradientChange(double factor, double limit) {
  /// Leaves gradients as they are.
  public static final GradientChange NONE = new GradientChange(1, Double.POSITIVE_INFINITY);

  /// A rule that does this to the gradient first.
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
