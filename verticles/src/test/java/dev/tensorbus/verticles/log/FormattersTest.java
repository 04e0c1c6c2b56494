// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

/// Lines of a process that is no worker, and whose logger of Tensorbus is not at debug.
class FormattersTest {
  private static final Instant TIME = Instant.parse("2026-11-25T17:20:01.120Z");

  private static LogRecord record(Level level, String message) {
    LogRecord record = new LogRecord(level, message);
    record.setLoggerName("dev.tensorbus.rpc.Cluster");
    record.setInstant(TIME);
    return record;
  }

  private static LogRecord failure() {
    LogRecord record = record(Level.WARNING, "a \"lane\" broke\nand was closed");
    record.setThrown(new IllegalStateException("first\r\nsecond"));
    return record;
  }

  private static JsonObject json(LogRecord record) {
    String line = new JsonFormatter().format(record);
    assertThat(line).endsWith(System.lineSeparator());
    assertThat(line.lines()).hasSize(1);
    return new JsonObject(line);
  }

  @Test
  void textHasTheTimeInMillisecondsTheLevelAndTheSentence() {
    String time =
        DateTimeFormatter.ofPattern("HH:mm:ss.SSS").format(TIME.atZone(ZoneId.systemDefault()));
    assertThat(new TextFormatter().format(record(Level.INFO, "world of 3 is complete")))
        .isEqualTo(time + " INFO world of 3 is complete" + System.lineSeparator())
        .contains(":01.120 ");
  }

  @Test
  void textIsOneLineWhateverTheMessageAndTheFailureAre() {
    assertThat(new TextFormatter().format(failure()))
        .endsWith(
            " WARNING a \"lane\" broke\\nand was closed: java.lang.IllegalStateException:"
                + " first\\nsecond"
                + System.lineSeparator());
  }

  @Test
  void jsonHasAFieldForEachFact() {
    JsonObject line = json(record(Level.INFO, "world of 3 is complete"));
    assertThat(line.fieldNames()).containsExactly("time", "level", "logger", "thread", "message");
    assertThat(line.getString("time")).isEqualTo("2026-11-25T17:20:01.120Z");
    assertThat(line.getString("level")).isEqualTo("INFO");
    assertThat(line.getString("logger")).isEqualTo("dev.tensorbus.rpc.Cluster");
    assertThat(line.getString("thread")).isEqualTo(Thread.currentThread().getName());
    assertThat(line.getString("message")).isEqualTo("world of 3 is complete");
  }

  @Test
  void jsonKeepsNewLinesAndQuotesOnOneLine() {
    JsonObject line = json(failure());
    assertThat(line.getString("message")).isEqualTo("a \"lane\" broke\nand was closed");
    JsonObject error = line.getJsonObject("error");
    assertThat(error.fieldNames()).containsExactly("class", "message");
    assertThat(error.getString("class")).isEqualTo("java.lang.IllegalStateException");
    assertThat(error.getString("message")).isEqualTo("first\r\nsecond");
  }

  @Test
  void levelsHaveTheNamesThatTheOptionTakes() {
    assertThat(List.of(Level.SEVERE, Level.WARNING, Level.INFO, Level.CONFIG, Level.FINE))
        .map(level -> TextFormatter.level(level).getName())
        .containsExactly("ERROR", "WARNING", "INFO", "DEBUG", "DEBUG");
    assertThat(List.of(Level.FINER, Level.FINEST))
        .map(level -> TextFormatter.level(level).getName())
        .containsOnly("TRACE");
  }

  @Test
  void otherLinesOnStandardErrorBecomeJsonAndJsonPasses() {
    String written = new JsonFormatter().format(record(Level.INFO, "is JSON"));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PrintStream errors = new JsonErrors(new PrintStream(bytes, true))) {
      errors.print(written);
      errors.println("error: no such file {\"a\"}");
      errors.println("warning: trainer2 is lost");
      errors.println();
      errors.print("no end of line: ä");
    }
    List<String> lines = bytes.toString().lines().toList();
    assertThat(lines).hasSize(4);
    assertThat(lines.getFirst()).isEqualTo(written.strip());
    assertThat(lines.stream().map(line -> new JsonObject(line).getString("level")))
        .containsExactly("INFO", "ERROR", "WARNING", "INFO");
    assertThat(lines.stream().map(line -> new JsonObject(line).getString("message")))
        .containsExactly(
            "is JSON", "no such file {\"a\"}", "trainer2 is lost", "no end of line: ä");
  }
}
