// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.command;

import java.io.PrintWriter;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/// The `tensorbus` command.
@Command(
    name = "tensorbus",
    description = "Distributed training on the JVM.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  tensorbus train mnist               a parameter server and two trainers, here",
      "  tensorbus train --help              all that can be set"
    })
public final class Main {
  private Main() {}

  /// Ends with 0, with 1 if it failed, with 2 if it was asked for something that cannot be.
  public static void main(String[] arguments) {
    Startup.begin();
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    CommandLine commandLine =
        new CommandLine(new Main()).addSubcommand("train", TrainCommand.specification());
    return commandLine
        .setParameterExceptionHandler((failure, arguments) -> refuse(failure))
        .setExecutionExceptionHandler(
            (failure, command, result) -> {
              command.getErr().println(Failure.line(failure));
              return Failure.exitCode(failure);
            });
  }

  private static int refuse(ParameterException failure) {
    PrintWriter err = failure.getCommandLine().getErr();
    err.printf(
        "%s; see %s --help%n",
        message(failure), failure.getCommandLine().getCommandSpec().qualifiedName());
    return Failure.USAGE;
  }

  private static String message(ParameterException failure) {
    if (failure instanceof UnmatchedArgumentException unmatched) {
      String given = unmatched.getUnmatched().getFirst();
      String kind = given.startsWith("-") ? "option" : "argument";
      return "error: unknown " + kind + " " + given + meant(unmatched);
    }
    return Failure.line(failure);
  }

  private static String meant(UnmatchedArgumentException unmatched) {
    return unmatched.getSuggestions().isEmpty()
        ? ""
        : unmatched.getSuggestions().stream()
            .limit(2)
            .collect(Collectors.joining(" or ", ", did you mean ", "?"));
  }

  /// What `--version` prints.
  static final class Version implements IVersionProvider {
    Version() {}

    @Override
    public String[] getVersion() {
      String version = Main.class.getPackage().getImplementationVersion();
      return new String[] {
        "tensorbus %s (Java %s)"
            .formatted(version == null ? "of this build" : version, Runtime.version())
      };
    }
  }
}
