// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.command;

import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.WorkerOptions;
import dev.tensorbus.verticles.progress.Display;
import java.util.List;

/// What the mains of the roles share: from `-conf` to an exit code.
public final class RoleMain {
  private RoleMain() {}

  /// Runs the worker that the arguments `-conf …` describe, and ends with it.
  ///
  /// @param programs those that the worker may be asked to run
  public static void run(Role role, List<Program> programs, List<String> arguments) {
    Startup.begin();
    System.exit(exitCode(role, programs, arguments));
  }

  private static int exitCode(Role role, List<Program> programs, List<String> arguments) {
    try (Display display = Display.onThisScreen()) {
      WorkerOptions options = ConfigFile.read(role, arguments);
      Program program = Programs.named(options.program(), programs);
      return WorkerApplication.run(program, role, options, display);
    } catch (RuntimeException e) {
      System.err.println(Failure.line(e));
      return Failure.exitCode(e);
    }
  }
}
