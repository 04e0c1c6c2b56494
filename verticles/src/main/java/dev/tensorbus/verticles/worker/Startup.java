// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.worker;

import dev.tensorbus.launch.ParentWatch;
import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.log.Logs;

/// The first steps of every program.
public final class Startup {
  private Startup() {}

  /// Ends with the process that started this one, and sets logging up.
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
