// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.log;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.logging.Level;
import java.util.logging.LogRecord;

/// A replacement for standard error on which every line is JSON. Lines of [JsonFormatter] pass
/// unchanged; any other line, such as a program's final error, becomes the message of a JSON
/// object.
final class JsonErrors extends PrintStream {
  private static final JsonFormatter FORMATTER = new JsonFormatter();
  private static final String LOGGER = "stderr";
  private static final String ERROR = "error: ";
  private static final String WARNING = "warning: ";

  private final PrintStream plain;

  /// @param plain receives the lines
  JsonErrors(PrintStream plain) {
    super(new Lines(plain), true, plain.charset());
    this.plain = plain;
  }

  /// Returns the stream that receives the lines.
  PrintStream plain() {
    return plain;
  }

  /// Converts a line to JSON.
  private static String json(String line) {
    if (JsonFormatter.wrote(line)) {
      return line;
    }
    if (line.startsWith(ERROR)) {
      return json(Level.SEVERE, line.substring(ERROR.length()));
    }
    return line.startsWith(WARNING)
        ? json(Level.WARNING, line.substring(WARNING.length()))
        : json(Level.INFO, line);
  }

  private static String json(Level level, String message) {
    LogRecord record = new LogRecord(level, message);
    record.setLoggerName(LOGGER);
    return FORMATTER.format(record).stripTrailing();
  }

  /// Splits the output into lines and converts them to JSON.
  private static final class Lines extends OutputStream {
    private final PrintStream plain;
    private final Charset charset;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    Lines(PrintStream plain) {
      this.plain = plain;
      this.charset = plain.charset();
    }

    @Override
    public synchronized void write(int b) {
      if (b == '\n') {
        end();
      } else {
        line.write(b);
      }
    }

    private void end() {
      String text = line.toString(charset).stripTrailing();
      line.reset();
      if (!text.isEmpty()) {
        plain.println(json(text));
      }
    }

    @Override
    public synchronized void close() {
      end();
      plain.close();
    }
  }
}
