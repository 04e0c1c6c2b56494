// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.doctor;

/// One thing that trainings use, as it is on this machine.
public interface Check {
  /// Judges it. The facts are known by now, so nothing is waited for.
  Finding finding();
}
