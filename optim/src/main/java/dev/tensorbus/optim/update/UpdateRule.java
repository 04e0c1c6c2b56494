// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.update;

/// One step of an optimizer: computes the next values and the next state of one stretch of a
/// parameter.
@FunctionalInterface
public interface UpdateRule {
  /// Changes `blocks` in place.
  void update(Blocks blocks);
}
