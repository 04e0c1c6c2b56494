// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.verticles.Commands;
import dev.tensorbus.verticles.Commands.Running;
import dev.tensorbus.verticles.command.UserMain;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The log lines of real runs, in all workers' processes.
class LogsIT {
  private static final String LINE =
      "(\\[(parameter-server|trainer\\d)\\] )?\\d\\d:\\d\\d:\\d\\d\\.\\d{3} INFO .+";

  private static Stream<JsonObject> objects(Running world) {
    return world.output().lines().filter(line -> line.startsWith("{")).map(LogsIT::object);
  }

  private static JsonObject object(String line) {
    try {
      return new JsonObject(line);
    } catch (DecodeException e) {
      throw new AssertionError("no JSON: " + line, e);
    }
  }

  @Test
  void allWorkersHaveOneFormatAndHazelcastIsQuiet() throws Exception {
    try (Running world = Commands.jar("tensorbus.jar", "train", "batch", "--rounds", "2")) {
      assertThat(world.end()).as(world.output()).isZero();
      List<String> logged = world.output().lines().filter(line -> line.contains(" INFO ")).toList();
      assertThat(logged).isNotEmpty().allMatch(line -> line.matches(LINE));
      assertThat(logged.getFirst())
          .matches(".* rank 0 listens on port \\d+; see tensorbus status --master-port \\d+");
      assertThat(world.output()).doesNotContain("hazelcast", "netty");
    }
  }

  /// Standard output has the training's own lines, none of which a worker's name begins.
  @Test
  void asJsonEachLineOnStandardErrorIsAnObject() throws Exception {
    try (Running world =
        Commands.jar("tensorbus.jar", "train", "batch", "--rounds", "2", "--log-format", "json")) {
      assertThat(world.end()).as(world.output()).isZero();
      assertThat(objects(world))
          .filteredOn(line -> !line.containsKey("worker"))
          .as("the launcher's own")
          .hasSize(1);
      assertThat(objects(world)).anyMatch(line -> line.containsKey("worker"));
      assertThat(world.output()).doesNotContain("[parameter-server] ", "[trainer");
    }
  }

  @Test
  void aProgramOfOnesOwnLogsByTheSameOptions() throws Exception {
    try (Running world =
        Commands.jar(
            "tensorbus.jar",
            "run",
            "--workers",
            "2",
            "--log-format",
            "json",
            "--log-level",
            "debug",
            "-cp",
            "target/test-classes",
            UserMain.class.getName(),
            "--greeting",
            "hello")) {
      assertThat(world.end()).as(world.output()).isZero();
      assertThat(objects(world).map(line -> line.getString("worker", "launcher")))
          .contains("worker0", "worker1", "launcher");
    }
  }
}
