// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.command;

import dev.tensorbus.verticles.worker.Failure;
import picocli.CommandLine;

/// Makes commands report errors as one line on standard error, with exit code 1 for a failure and 2
/// for an invalid command line.
public final class OneLineErrors {
  private OneLineErrors() {}

  /// Configures `commandLine` and its subcommands this way, and returns `commandLine`.
  public static CommandLine of(CommandLine commandLine) {
    return commandLine
        .setParameterExceptionHandler(
            (failure, arguments) -> {
              failure.getCommandLine().getErr().println(UsageMessages.line(failure));
              return Failure.USAGE;
            })
        .setExecutionExceptionHandler(
            (failure, command, result) -> {
              command.getErr().println(Failure.line(failure));
              return Failure.exitCode(failure);
            });
  }
}
