// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.hazelcast;

import com.hazelcast.config.Config;
import com.hazelcast.logging.AbstractLogger;
import com.hazelcast.logging.ILogger;
import com.hazelcast.logging.LogEvent;
import com.hazelcast.logging.LoggerFactory;
import io.vertx.core.internal.logging.Logger;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;

/// Passes Hazelcast's log entries to the logger that Vert.x uses in this application, at lower
/// levels: errors become warnings, warnings become debug, and everything else becomes trace.
/// Tensorbus's exceptions explain better why a member leaves or cannot join.
public final class QuietLogs implements LoggerFactory {
  private static final String CLASS = "hazelcast.logging.class";
  private static final String TYPE = "hazelcast.logging.type";

  QuietLogs() {}

  /// Makes Hazelcast use this factory, unless the application has chosen another one with a system
  /// property or in its Hazelcast configuration.
  public static void install(Config config) {
    if (config.getProperty(TYPE) == null
        && System.getProperty(TYPE) == null
        && System.getProperty(CLASS) == null) {
      System.setProperty(CLASS, QuietLogs.class.getName());
    }
  }

  @Override
  public ILogger getLogger(String name) {
    return new Quiet(io.vertx.core.internal.logging.LoggerFactory.getLogger(name));
  }

  private static final class Quiet extends AbstractLogger {
    private final Logger logger;

    Quiet(Logger logger) {
      this.logger = logger;
    }

    @Override
    public void log(Level level, String message) {
      log(level, message, null);
    }

    @Override
    public void log(Level level, String message, @Nullable Throwable thrown) {
      if (level.intValue() >= Level.SEVERE.intValue()) {
        logger.warn(message, thrown);
      } else if (level.intValue() >= Level.WARNING.intValue()) {
        logger.debug(message, thrown);
      } else {
        logger.trace(message, thrown);
      }
    }

    @Override
    @SuppressWarnings("deprecation") // Hazelcast's interface still requires it
    public void log(LogEvent event) {
      LogRecord record = event.getLogRecord();
      log(record.getLevel(), record.getMessage(), record.getThrown());
    }

    @Override
    public Level getLevel() {
      return logger.isTraceEnabled()
          ? Level.ALL
          : logger.isDebugEnabled() ? Level.WARNING : Level.SEVERE;
    }

    @Override
    public boolean isLoggable(Level level) {
      return level.intValue() >= getLevel().intValue();
    }
  }
}
