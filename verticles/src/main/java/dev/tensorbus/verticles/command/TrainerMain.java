// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.command;

import dev.tensorbus.verticles.Role;
import java.util.List;

/// Runs a trainer: `-conf config/trainer.json`.
public final class TrainerMain {
  private TrainerMain() {}

  /// Ends when its work is done.
  public static void main(String[] arguments) {
    RoleMain.run(Role.TRAINER, Programs.ALL, List.of(arguments));
  }
}
