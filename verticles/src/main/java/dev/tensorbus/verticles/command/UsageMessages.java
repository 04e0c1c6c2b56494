// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.command;

import dev.tensorbus.verticles.worker.Failure;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/// Says in one line why a command line is refused.
final class UsageMessages {
  private static final int LIKE = 3;

  private UsageMessages() {}

  static String line(ParameterException failure) {
    CommandSpec spec = failure.getCommandLine().getCommandSpec();
    String what =
        switch (failure) {
          case UnmatchedArgumentException unmatched ->
              "error: unknown " + unknown(unmatched.getUnmatched().getFirst(), spec);
          case OverwrittenOptionException twice ->
              "error: " + name(twice.getOverwritten()) + " is given twice";
          case MissingParameterException missing when !missing.getMissing().isEmpty() ->
              "error: " + needed(missing.getMissing().getFirst());
          default -> Failure.line(failure);
        };
    return what + "; see " + spec.qualifiedName() + " --help";
  }

  private static String unknown(String given, CommandSpec spec) {
    boolean isOption = given.startsWith("-");
    Stream<String> known =
        isOption ? spec.optionsMap().keySet().stream() : spec.subcommands().keySet().stream();
    return (isOption ? "option " : "argument ")
        + given
        + nearest(given, known).map(name -> ", did you mean " + name + "?").orElse("");
  }

  private static Optional<String> nearest(String given, Stream<String> known) {
    return known
        .filter(name -> distance(given, name) < LIKE)
        .min(Comparator.comparingInt(name -> distance(given, name)));
  }

  /// How many letters to insert, remove or replace: Levenshtein's distance.
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      int diagonal = i;
      for (int j = 0; j <= b.length(); j++) {
        int above = row[j];
        if (i == 0 || j == 0) {
          row[j] = i + j;
        } else {
          int replace = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
          row[j] = Math.min(replace, 1 + Math.min(above, row[j - 1]));
        }
        diagonal = above;
      }
    }
    return row[b.length()];
  }

  private static String needed(ArgSpec missing) {
    return name(missing) + " needs a value " + missing.paramLabel();
  }

  private static String name(ArgSpec argument) {
    return argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
  }
}
