// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.command;

import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.WorkerOptions;
import dev.tensorbus.verticles.progress.Display;
import java.util.List;

/// What the mains of the roles share: from `-conf` to an exit code.
final class RoleMain {
  private RoleMain() {}

  static void run(Role role, String[] arguments) {
    Startup.begin();
    System.exit(exitCode(role, List.of(arguments)));
  }

  private static int exitCode(Role role, List<String> arguments) {
    try (Display display = Display.onThisScreen()) {
      WorkerOptions options = ConfigFile.read(role, arguments);
      return WorkerApplication.run(Programs.named(options.program()), role, options, display);
    } catch (RuntimeException e) {
      System.err.println(Failure.line(e));
      return Failure.exitCode(e);
    }
  }
}
