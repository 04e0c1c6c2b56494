// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.page;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/// A bounded buffer of the lines that a worker has logged or shown to the user since the last
/// [#take]. Thread-safe.
final class LogTail extends Handler {
  /// The maximum number of lines.
  static final int MOST_LINES = 50;

  private static final int LONGEST_LINE = 500;

  /// The root logger, whose handlers receive the records of all loggers.
  private static final Logger ROOT = Logger.getLogger("");

  private final SimpleFormatter formatter = new SimpleFormatter();
  private final Deque<JsonObject> lines = new ArrayDeque<>();

  /// Starts receiving log records.
  void begin() {
    ROOT.addHandler(this);
  }

  @Override
  public void publish(LogRecord event) {
    if (isLoggable(event)) {
      Throwable thrown = event.getThrown();
      String text = formatter.formatMessage(event) + (thrown == null ? "" : ": " + thrown);
      add(event.getLevel().getName(), text);
    }
  }

  /// Adds a line; drops the oldest line if the buffer is full.
  void add(String level, String text) {
    JsonObject line =
        new JsonObject()
            .put("time", System.currentTimeMillis())
            .put("level", level)
            .put("text", text.substring(0, Math.min(text.length(), LONGEST_LINE)));
    synchronized (lines) {
      if (lines.size() == MOST_LINES) {
        lines.removeFirst();
      }
      lines.add(line);
    }
  }

  /// Removes and returns all lines, the oldest first.
  JsonArray take() {
    synchronized (lines) {
      JsonArray taken = new JsonArray(List.copyOf(lines));
      lines.clear();
      return taken;
    }
  }

  @Override
  public void flush() {}

  /// Stops receiving log records.
  @Override
  public void close() {
    ROOT.removeHandler(this);
  }
}
