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

/// A log record in one line: worker, time, level, sentence, and the failure's own sentence if there
/// is one. The failure's stack trace follows where Tensorbus logs for debugging.
public final class TextFormatter extends Formatter {
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");

  /// Made by java.util.logging, which finds its name in logging.properties.
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

  /// The mark before the lines of a worker.
  ///
  /// @param worker the worker's name
  public static String mark(String worker) {
    return "[" + worker + "] ";
  }

  /// A reader who looks for lines finds one for each record.
  private static String oneLine(String text) {
    return String.join("\\n", text.lines().toList());
  }

  /// The same level, or the next lower one, of those that users know from [System.Logger].
  static System.Logger.Level level(Level level) {
    return Stream.of("ERROR", "WARNING", "INFO", "DEBUG")
        .map(System.Logger.Level::valueOf)
        .filter(known -> known.getSeverity() <= level.intValue())
        .findFirst()
        .orElse(System.Logger.Level.TRACE);
  }

  /// Whether the lines of this process have stack traces.
  static boolean showsStacks() {
    return Logger.getLogger("dev.tensorbus").isLoggable(Level.FINE);
  }

  static String stack(Throwable thrown) {
    StringWriter stack = new StringWriter();
    thrown.printStackTrace(new PrintWriter(stack));
    return stack.toString();
  }
}
