// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.update;

/// One step of an optimizer: gives the values of each part of a parameter their next values, and
/// brings what is remembered of them up to date.
@FunctionalInterface
public interface UpdateRule {
  /// Changes the blocks of `part` in place.
  void update(Part part);
}
