// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.application;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.verticles.Commands;
import dev.tensorbus.verticles.Commands.Running;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A main that starts its own world, in real processes.
@Tag("long")
class LauncherIT {
  private static void workersGoOn(Running world) throws InterruptedException {
    assertThat(world.end()).as(world.output()).isZero();
    assertThat(world.output().lines())
        .filteredOn(line -> !line.contains(" INFO "))
        .filteredOn(line -> !line.startsWith("preparing ")) // by the first program of a jar
        .containsExactlyInAnyOrder(
            "[worker0] worker0 of 2 was told to work",
            "[worker1] worker1 of 2 was told to work",
            "[worker0] goes on",
            "[worker1] goes on");
  }

  @Test
  void aMainThatAnIdeRunsStartsItsWorld() throws Exception {
    try (Running world = Commands.plainJava(SpawningMain.class, "work")) {
      workersGoOn(world);
    }
  }

  @Test
  void aVariableWritesTheCurvesOfItsWorld(@TempDir Path folder) throws Exception {
    Path log = folder.resolve("run.jsonl");
    var builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            SpawningMain.class.getName(),
            "report");
    builder.environment().put("TENSORBUS_LOG", log.toString());
    try (Running world = new Running(builder.redirectErrorStream(true).start())) {
      assertThat(world.end()).as(world.output()).isZero();
      assertThat(Files.readAllLines(log))
          .hasSize(2)
          .allSatisfy(line -> assertThat(line).contains("\"loss\":0.5"));
    }
  }

  @Test
  void underTensorbusRunTheSameMainIsAWorker() throws Exception {
    String main = SpawningMain.class.getName();
    try (Running world =
        Commands.jar("tensorbus.jar", "run", "-cp", "target/test-classes", main, "work")) {
      workersGoOn(world);
    }
  }

  @Test
  void aWorkerThatFailsSaysWhyAndSoDoesTheExitCode() throws Exception {
    try (Running world = Commands.plainJava(SpawningMain.class, "fail")) {
      assertThat(world.end()).as(world.output()).isEqualTo(1);
      assertThat(world.output())
          .contains("[worker1] java.lang.IllegalStateException: asked to fail");
    }
  }
}
