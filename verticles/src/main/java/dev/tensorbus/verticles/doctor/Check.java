// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.doctor;

/// The state of a resource that training uses.
public interface Check {
  /// Evaluates the state. Does not block, because the facts have already been collected.
  Finding finding();
}
