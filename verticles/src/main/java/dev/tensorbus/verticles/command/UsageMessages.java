// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.command;

import dev.tensorbus.verticles.worker.Failure;
import java.util.List;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/// Formats the error of an invalid command line as one line.
final class UsageMessages {
  private UsageMessages() {}

  static String line(ParameterException failure) {
    CommandSpec spec = failure.getCommandLine().getCommandSpec();
    String what =
        switch (failure) {
          case UnmatchedArgumentException unmatched -> "error: unknown " + unknown(unmatched);
          case OverwrittenOptionException twice ->
              "error: " + name(twice.getOverwritten()) + " is given twice";
          case MissingParameterException missing when !missing.getMissing().isEmpty() ->
              "error: " + needed(missing.getMissing().getFirst());
          default -> Failure.line(failure);
        };
    return what + "; see " + spec.qualifiedName() + " --help";
  }

  private static String unknown(UnmatchedArgumentException unmatched) {
    String given = unmatched.getUnmatched().getFirst();
    List<String> alike = unmatched.getSuggestions();
    return (given.startsWith("-") ? "option " : "argument ")
        + given
        + (alike.isEmpty() ? "" : ", did you mean " + alike.getFirst() + "?");
  }

  private static String needed(ArgSpec missing) {
    return name(missing) + " needs a value " + missing.paramLabel();
  }

  private static String name(ArgSpec argument) {
    return argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
  }
}
