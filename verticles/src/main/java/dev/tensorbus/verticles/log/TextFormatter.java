// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.log;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;

/// Formats a log record as one line: worker, time, level, message, and the exception if there is
/// one. The exception's stack trace follows if Tensorbus logs at level debug.
public final class TextFormatter extends Formatter {
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");

  /// Called by java.util.logging, because logging.properties names this class.
  public TextFormatter() {}

  @Override
  public String format(LogRecord record) {
    Throwable thrown = record.getThrown();
    return "%s%s %s %s%n%s"
        .formatted(
            Logs.worker().map(TextFormatter::mark).orElse(""),
            TIME.format(record.getInstant().atZone(ZoneId.systemDefault())),
            level(record.getLevel()),
            oneLine(formatMessage(record) + (thrown == null ? "" : ": " + thrown)),
            thrown != null && showsStacks() ? stack(thrown) : "");
  }

  /// Returns the prefix of a worker's lines.
  ///
  /// @param worker the worker's name
  public static String mark(String worker) {
    return "[" + worker + "] ";
  }

  /// Escapes line breaks, so that each record is one line.
  private static String oneLine(String text) {
    return String.join("\\n", text.lines().toList());
  }

  /// Maps a level to the equal or next lower level of [System.Logger], because users know the names
  /// of those levels.
  static System.Logger.Level level(Level level) {
    return Stream.of("ERROR", "WARNING", "INFO", "DEBUG")
        .map(System.Logger.Level::valueOf)
        .filter(known -> known.getSeverity() <= level.intValue())
        .findFirst()
        .orElse(System.Logger.Level.TRACE);
  }

  /// Returns whether this process logs stack traces.
  static boolean showsStacks() {
    return Logger.getLogger("dev.tensorbus").isLoggable(Level.FINE);
  }

  static String stack(Throwable thrown) {
    StringWriter stack = new StringWriter();
    thrown.printStackTrace(new PrintWriter(stack));
    return stack.toString();
  }
}
