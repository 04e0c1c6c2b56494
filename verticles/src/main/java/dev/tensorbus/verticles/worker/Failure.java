// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.worker;

import dev.tensorbus.verticles.UsageException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/// Tells users of a failure in one line, without a stack trace, and by an exit code.
public final class Failure {
  /// Exit code of a program that could not do its work.
  public static final int FAILED = 1;

  /// Exit code of a program that was asked for something that cannot be.
  public static final int USAGE = 2;

  /// Exit code of a program that Ctrl-C ended.
  public static final int INTERRUPTED = 130;

  private Failure() {}

  /// The line for standard error.
  public static String line(Throwable failure) {
    Throwable cause = cause(failure);
    String message = cause.getMessage();
    String text = message == null || message.isBlank() ? cause.toString() : message;
    return "error: " + text.lines().findFirst().orElse(text);
  }

  /// The failure itself, where another thread has wrapped it.
  private static Throwable cause(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null
        && (cause instanceof ExecutionException || cause instanceof CompletionException)) {
      cause = cause.getCause();
    }
    return cause;
  }

  /// [#USAGE] for a [UsageException], else [#FAILED].
  public static int exitCode(Throwable failure) {
    return cause(failure) instanceof UsageException ? USAGE : FAILED;
  }
}
