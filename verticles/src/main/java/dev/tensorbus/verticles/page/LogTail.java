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

/// The last lines that a worker has logged or said and nobody has taken yet. Safe on any thread.
final class LogTail extends Handler {
  /// How many lines are kept.
  static final int MOST_LINES = 50;

  private static final int LONGEST_LINE = 500;

  /// The one whose handlers hear of all loggers.
  private static final Logger ROOT = Logger.getLogger("");

  private final SimpleFormatter formatter = new SimpleFormatter();
  private final Deque<JsonObject> lines = new ArrayDeque<>();

  /// Begins to hear what is logged.
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

  /// Adds a line; the oldest makes room for it.
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

  /// The lines since the last time, the oldest first.
  JsonArray take() {
    synchronized (lines) {
      JsonArray taken = new JsonArray(List.copyOf(lines));
      lines.clear();
      return taken;
    }
  }

  @Override
  public void flush() {}

  /// Hears no more.
  @Override
  public void close() {
    ROOT.removeHandler(this);
  }
}
