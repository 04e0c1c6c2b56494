// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.progress;

import dev.tensorbus.verticles.Progress;
import dev.tensorbus.verticles.WorkerOptions;
import java.io.Console;
import java.io.PrintStream;

/// Shows a training to its user.
public interface Display extends Progress, AutoCloseable {
  /// Says a line on standard error.
  void warn(String line);

  /// Ends it; nothing is shown afterwards.
  @Override
  void close();

  /// The display of a training on this screen, which also writes the curves that the options ask
  /// for. Where another process shows the progress, that one writes them.
  ///
  /// @throws dev.tensorbus.verticles.UsageException if a file of curves cannot be written
  static Display onThisScreen(WorkerOptions options) {
    Display screen = onThisScreen();
    return ProgressEvents.areWanted() ? screen : new RecordedDisplay(screen, options);
  }

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
