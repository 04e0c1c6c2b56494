// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.worker;

import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.WorkerOptions;
import dev.tensorbus.verticles.log.Logs;
import dev.tensorbus.verticles.progress.Display;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/// The entry point of the jars that run one role. Runs one worker. In the arguments, for example
/// `trainer -conf config/trainer.json`, the role comes from the jar's manifest, and the user gives
/// the rest.
public final class RoleMain {
  private RoleMain() {}

  /// Runs the worker and exits with its exit code.
  public static void main(String[] arguments) {
    run(Programs::all, Arrays.asList(arguments));
  }

  /// Runs the worker that the arguments `ROLE -conf …` describe, and exits with its exit code.
  ///
  /// @param programs the known programs
  public static void run(Supplier<List<Program>> programs, List<String> arguments) {
    Startup.begin();
    System.exit(exitCode(programs, arguments));
  }

  private static int exitCode(Supplier<List<Program>> known, List<String> arguments) {
    try {
      List<Program> programs = known.get();
      Role role = role(arguments);
      ConfigFile file = new ConfigFile(role, programs, System.getenv());
      WorkerOptions options = file.read(arguments.subList(1, arguments.size()));
      Logs.configure(options);
      Program program = Programs.named(options.program(), programs);
      try (Display display = Display.onThisScreen(options)) {
        return WorkerApplication.run(program, role, options, display);
      }
    } catch (RuntimeException e) {
      System.err.println(Failure.line(e));
      return Failure.exitCode(e);
    }
  }

  private static Role role(List<String> arguments) {
    return arguments.stream()
        .findFirst()
        .flatMap(Role::of)
        .orElseThrow(
            () ->
                new UsageException(
                    "missing role; expected one of %s before -conf"
                        .formatted(Arrays.stream(Role.values()).map(Role::label).toList())));
  }
}
