// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.verticles.worker.Startup;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The lines of a program of ours, in a JVM of its own.
class LogsTest {
  private static final List<String> LOGGERS =
      List.of(
          "dev.tensorbus.rpc", "com.hazelcast.core", "io.netty.util", "io.vertx.core", "my.App");

  /// Logs a line at each level by each logger.
  static final class Program {
    private Program() {}

    public static void main(String[] arguments) {
      Startup.begin();
      for (String name : LOGGERS) {
        System.Logger logger = System.getLogger(name);
        Exception failure = new IllegalStateException("why");
        for (Level level :
            List.of(Level.ERROR, Level.WARNING, Level.INFO, Level.DEBUG, Level.TRACE)) {
          logger.log(level, name + " says", failure);
        }
      }
      System.err.println("error: the end");
    }
  }

  private static List<String> run(Map<String, String> environment, String... flags)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(flags));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(Program.class.getName());
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return output.lines().toList();
  }

  private static List<String> levelsOf(String logger, List<String> lines) {
    return lines.stream()
        .filter(line -> line.contains(logger + " says"))
        .map(line -> line.split(" ", -1)[1])
        .toList();
  }

  @Test
  void tensorbusLogsFromInfoOnAndLibrariesKeepQuiet() throws Exception {
    List<String> lines = run(Map.of());
    assertThat(levelsOf("dev.tensorbus.rpc", lines)).containsExactly("ERROR", "WARNING", "INFO");
    assertThat(levelsOf("my.App", lines)).containsExactly("ERROR", "WARNING");
    assertThat(levelsOf("io.netty.util", lines)).containsExactly("ERROR", "WARNING");
    assertThat(lines).noneMatch(line -> line.contains("hazelcast") || line.contains("io.vertx"));
    assertThat(lines).noneMatch(line -> line.startsWith("\tat "));
    assertThat(lines).contains("error: the end");
  }

  @Test
  void onErrorLevelOnlyErrorsAreThere() throws Exception {
    List<String> lines = run(Map.of("TENSORBUS_LOG_LEVEL", "error"));
    assertThat(levelsOf("dev.tensorbus.rpc", lines)).containsExactly("ERROR");
    assertThat(levelsOf("my.App", lines)).containsExactly("ERROR");
  }

  @Test
  void atDebugLibrariesLogTooAndFailuresHaveTheirStackTraces() throws Exception {
    List<String> lines = run(Map.of("TENSORBUS_LOG_LEVEL", "debug"));
    for (String logger : LOGGERS.subList(0, 4)) {
      assertThat(levelsOf(logger, lines))
          .as(logger)
          .containsExactly("ERROR", "WARNING", "INFO", "DEBUG");
    }
    assertThat(levelsOf("my.App", lines)).containsExactly("ERROR", "WARNING");
    assertThat(lines).anyMatch(line -> line.startsWith("\tat ") && line.contains("Program.main"));
  }

  @Test
  void atTraceThereIsAll() throws Exception {
    assertThat(levelsOf("com.hazelcast.core", run(Map.of("TENSORBUS_LOG_LEVEL", "trace"))))
        .containsExactly("ERROR", "WARNING", "INFO", "DEBUG", "TRACE");
  }

  @Test
  void asJsonEveryLineIsAnObjectThatNamesTheWorker() throws Exception {
    List<String> lines =
        run(
            Map.of("TENSORBUS_LOG_FORMAT", "json", "TENSORBUS_LOG_LEVEL", "debug"),
            Logs.workerFlag("trainer1"));
    List<JsonObject> objects = lines.stream().map(JsonObject::new).toList();
    assertThat(objects).allMatch(line -> "trainer1".equals(line.getString("worker")));
    assertThat(objects.getFirst().getJsonObject("error").getString("stack"))
        .startsWith("java.lang.IllegalStateException: why")
        .contains("Program.main");
    assertThat(objects.getLast().getString("message")).isEqualTo("the end");
  }

  @Test
  void aConfigurationOfTheUsersWins(@TempDir Path folder) throws Exception {
    Path file =
        Files.write(
            folder.resolve("logging.properties"),
            List.of(
                "handlers = java.util.logging.ConsoleHandler",
                "java.util.logging.SimpleFormatter.format = mine %5$s%n",
                "dev.tensorbus.level = SEVERE",
                ".level = OFF"));
    assertThat(
            run(
                Map.of("TENSORBUS_LOG_FORMAT", "json", "TENSORBUS_LOG_LEVEL", "debug"),
                "-Djava.util.logging.config.file=" + file))
        .containsExactly("mine dev.tensorbus.rpc says", "error: the end");
  }

  @Test
  void aLevelThatIsNoneEndsTheProgramInOneLine() throws Exception {
    assertThat(run(Map.of("TENSORBUS_LOG_LEVEL", "loud")))
        .containsExactly(
            "error: TENSORBUS_LOG_LEVEL is loud; expected error or warning or info or debug or"
                + " trace");
  }
}
