// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.progress;

import dev.tensorbus.verticles.Progress;
import java.io.Console;
import java.io.PrintStream;

/// Shows a training to its user.
public interface Display extends Progress, AutoCloseable {
  /// Says a line on standard error.
  void warn(String line);

  /// Ends it; nothing is shown afterwards.
  @Override
  void close();

  /// The display that fits this process's standard output.
  @SuppressWarnings("SystemConsoleNull") // it is, where input or output is no terminal
  static Display onThisScreen() {
    PrintStream out = System.out;
    PrintStream err = System.err;
    if (ProgressEvents.areWanted()) {
      return new ProgressEvents(out, err);
    }
    Console console = System.console();
    return console != null && console.isTerminal()
        ? new TerminalProgress(out, err)
        : new ProgressLines(out, err, System::nanoTime);
  }
}
