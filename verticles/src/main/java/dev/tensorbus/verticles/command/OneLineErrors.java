// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.command;

import dev.tensorbus.verticles.worker.Failure;
import picocli.CommandLine;

/// How a command of ours tells what went wrong: in one line on standard error, and by an exit
/// code of 1 if it failed, 2 if it was asked for something that cannot be.
public final class OneLineErrors {
  private OneLineErrors() {}

  /// Makes `commandLine` and the subcommands that it has do so.
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
