// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.progress;

import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.thread.time.NanoClock;
import dev.tensorbus.verticles.WorkerOptions;
import java.io.Console;
import java.io.PrintStream;

/// Shows the progress of a training to the user.
public interface Display extends Progress, AutoCloseable {
  /// Shows a line on standard error.
  void warn(String line);

  /// Notifies the launcher, if this display does so, that this worker has reached a stage.
  default void reach(Stage stage) {}

  /// Closes the display, including its progress bar and its files of curves.
  @Override
  void close();

  /// Returns the display for this process, which also writes the curves that the options enable. If
  /// another process shows the progress, that process writes them.
  ///
  /// @throws dev.tensorbus.verticles.UsageException if a file of curves cannot be written
  static Display onThisScreen(WorkerOptions options) {
    Display screen = onThisScreen();
    return ProgressEvents.areWanted() ? screen : new RecordedDisplay(screen, options);
  }

  /// Returns the display that suits this process's standard output.
  @SuppressWarnings("SystemConsoleNull") // it is null if input or output is not a terminal
  static Display onThisScreen() {
    PrintStream out = System.out;
    PrintStream err = System.err;
    if (ProgressEvents.areWanted()) {
      return new ProgressEvents(out, err);
    }
    Console console = System.console();
    return console != null && console.isTerminal()
        ? new TerminalProgress(out, err)
        : new ProgressLines(out, err, NanoClock.SYSTEM);
  }
}
