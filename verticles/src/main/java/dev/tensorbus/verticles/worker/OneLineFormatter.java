// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.worker;

import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;

/// A log record in one line: time, level, sentence, and the failure's own sentence if there is
/// one.
public final class OneLineFormatter extends Formatter {
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");

  /// Made by java.util.logging, which finds its name in logging.properties.
  public OneLineFormatter() {}

  @Override
  public String format(LogRecord record) {
    LocalTime time = LocalTime.ofInstant(record.getInstant(), ZoneId.systemDefault());
    Throwable thrown = record.getThrown();
    return "%s %s %s%s%n"
        .formatted(
            TIME.format(time),
            record.getLevel().getName(),
            formatMessage(record),
            thrown == null ? "" : ": " + thrown);
  }
}
