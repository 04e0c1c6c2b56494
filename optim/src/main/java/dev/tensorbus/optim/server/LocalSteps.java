// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.Sgd;

/// Trainers that take several steps by themselves for each step of the servers, which saves as many
/// messages: DiLoCo (Douillard et al., "DiLoCo: Distributed Low-Communication Training of Language
/// Models", 2023).
///
/// @param steps the number of a trainer's steps for each push, 1 or more
/// @param outer the optimizer of the servers, to which a push is the difference between the values
///     before and after these steps
public record LocalSteps(int steps, OptimizerSpec outer) {
  /// Checks the number.
  ///
  /// @throws IllegalArgumentException if it is below 1
  public LocalSteps {
    if (steps < 1) {
      throw new IllegalArgumentException(steps + " local steps; expected 1 or more");
    }
  }

  /// Returns local steps with the paper's outer optimizer: Nesterov momentum of 0.9 and a learning
  /// rate of 0.7.
  public static LocalSteps of(int steps) {
    return new LocalSteps(steps, new Sgd(0.7).withMomentum(0.9).withNesterov(true));
  }
}
