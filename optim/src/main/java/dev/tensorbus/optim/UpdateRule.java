// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

/// Computes the next values of one parameter and remembers what the following step needs.
///
/// [Optimizer] calls it inside the parameter's own update, so never from two threads at once.
@FunctionalInterface
public interface UpdateRule {
  /// Computes the next values into a new array; the arguments are shared and stay as they are.
  float[] next(float[] values, float[] gradient);
}
