// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.command;

import dev.tensorbus.verticles.UsageException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/// What a user reads when something fails: one line, never a stack trace.
final class Failure {
  /// Exit code of a program that could not do its work.
  static final int FAILED = 1;

  /// Exit code of a program that was asked for something that cannot be.
  static final int USAGE = 2;

  /// Exit code of a program that Ctrl-C ended.
  static final int INTERRUPTED = 130;

  private Failure() {}

  static String line(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null
        && (cause instanceof ExecutionException || cause instanceof CompletionException)) {
      cause = cause.getCause();
    }
    String message = cause.getMessage();
    String text = message == null || message.isBlank() ? cause.toString() : message;
    return "error: " + text.lines().findFirst().orElse(text);
  }

  static int exitCode(Throwable failure) {
    return failure instanceof UsageException ? USAGE : FAILED;
  }
}
