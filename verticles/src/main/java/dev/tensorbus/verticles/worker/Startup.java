// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.worker;

import dev.tensorbus.launch.ParentWatch;
import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.log.Logs;

/// The first steps of every `main`.
public final class Startup {
  private Startup() {}

  /// Ties this process to its parent, so that it exits when the parent does, and sets up logging.
  public static void begin() {
    ParentWatch.start();
    try {
      Logs.begin();
    } catch (UsageException e) {
      System.err.println(Failure.line(e));
      System.exit(Failure.exitCode(e));
    }
  }
}
