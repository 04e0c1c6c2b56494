// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.update;

/// The rule of one optimizer step. Computes the new values and the new state of one section of a
/// parameter.
@FunctionalInterface
public interface UpdateRule {
  /// Updates `blocks` in place.
  void update(Blocks blocks);
}
