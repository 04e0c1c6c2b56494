// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.worker;

import dev.tensorbus.verticles.UsageException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/// Reports failures to users as one line without a stack trace, and as an exit code.
public final class Failure {
  /// Exit code of a failed program.
  public static final int FAILED = 1;

  /// Exit code for invalid user input.
  public static final int USAGE = 2;

  /// Exit code after Ctrl-C.
  public static final int INTERRUPTED = 130;

  private Failure() {}

  /// Returns the line for standard error.
  public static String line(Throwable failure) {
    Throwable cause = cause(failure);
    String message = cause.getMessage();
    String text = message == null || message.isBlank() ? cause.toString() : message;
    return "error: " + text.lines().findFirst().orElse(text);
  }

  /// Returns the original failure if it was wrapped on its way from another thread.
  private static Throwable cause(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null
        && (cause instanceof ExecutionException || cause instanceof CompletionException)) {
      cause = cause.getCause();
    }
    return cause;
  }

  /// Returns [#USAGE] for a [UsageException], else [#FAILED].
  public static int exitCode(Throwable failure) {
    return cause(failure) instanceof UsageException ? USAGE : FAILED;
  }
}
