// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.doctor;

/// The state of a resource that trainings use.
public interface Check {
  /// Evaluates the state. Does not block: the facts are known already.
  Finding finding();
}
