// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.log;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;

/// Formats a log record as a JSON object on one line: time in UTC, level, worker, logger, thread,
/// message, and the error if there is one. The error includes its stack trace if Tensorbus logs at
/// level debug.
public final class JsonFormatter extends Formatter {
  /// Vert.x's JSON encoder would recurse endlessly here, because it logs while it is loaded.
  private static final JsonFactory JSON = new JsonFactory();

  private static final DateTimeFormatter TIME =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

  private static final String BEGINNING = "{\"time\":\"";

  /// Called by java.util.logging if its configuration names this class.
  public JsonFormatter() {}

  @Override
  public String format(LogRecord record) {
    StringWriter line = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(line)) {
      json.writeStartObject();
      write(json, record);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return line + System.lineSeparator();
  }

  /// Formatters run on the thread that logs, so the current thread is the one to report.
  private void write(JsonGenerator json, LogRecord record) throws IOException {
    Thread thread = Thread.currentThread();
    String name = thread.getName();
    Throwable thrown = record.getThrown();
    json.writeStringField("time", TIME.format(record.getInstant()));
    json.writeStringField("level", TextFormatter.level(record.getLevel()).getName());
    if (Logs.worker().isPresent()) {
      json.writeStringField("worker", Logs.worker().get());
    }
    json.writeStringField("logger", record.getLoggerName());
    json.writeStringField("thread", name.isEmpty() ? "#" + thread.threadId() : name);
    json.writeStringField("message", formatMessage(record));
    if (thrown != null) {
      writeError(json, thrown);
    }
  }

  private static void writeError(JsonGenerator json, Throwable thrown) throws IOException {
    json.writeObjectFieldStart("error");
    json.writeStringField("class", thrown.getClass().getName());
    json.writeStringField("message", thrown.getMessage());
    if (TextFormatter.showsStacks()) {
      json.writeStringField("stack", TextFormatter.stack(thrown));
    }
    json.writeEndObject();
  }

  /// Returns whether this class has formatted the line.
  public static boolean wrote(String line) {
    return line.startsWith(BEGINNING) && line.endsWith("}");
  }
}
