// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.command;

import dev.tensorbus.verticles.Role;
import java.util.List;

/// Runs rank 0: `-conf config/parameter-server.json`.
public final class ParameterServerMain {
  private ParameterServerMain() {}

  /// Ends when its world does.
  public static void main(String[] arguments) {
    RoleMain.run(Role.PARAMETER_SERVER, Programs.ALL, List.of(arguments));
  }
}
