// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.worker;

import dev.tensorbus.launch.ParentWatch;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.logging.LogManager;

/// The first steps of every program.
public final class Startup {
  private static final String OWN_CONFIGURATION = "java.util.logging.config.file";

  private Startup() {}

  /// Sets logging up, and ends with the process that started this one.
  public static void begin() {
    ParentWatch.start();
    if (System.getProperty(OWN_CONFIGURATION) == null) {
      configureLogging();
    }
  }

  private static void configureLogging() {
    try (InputStream properties = Startup.class.getResourceAsStream("logging.properties")) {
      LogManager.getLogManager().readConfiguration(Objects.requireNonNull(properties));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
