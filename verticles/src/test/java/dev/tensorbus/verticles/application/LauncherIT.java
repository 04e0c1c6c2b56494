// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.application;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.verticles.Commands;
import dev.tensorbus.verticles.Commands.Running;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A main that starts its own world, in real processes.
@Tag("long")
class LauncherIT {
  private static void workersGoOn(Running world) throws InterruptedException {
    assertThat(world.end()).as(world.output()).isZero();
    assertThat(world.output().lines())
        .filteredOn(line -> !line.contains(" INFO "))
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
