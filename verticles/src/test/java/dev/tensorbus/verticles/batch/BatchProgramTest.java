// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.verticles.TestWorld;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A server and its trainers, each on a Vertx of its own.
class BatchProgramTest {
  private static final long SEED = Long.getLong("seed", 1);

  @Test
  void allTrainersOfARoundAreAnsweredAtOnce() {
    try (TestWorld world = start(3, 4)) {
      world.finished(0).await();
      assertThat(said(world, "parameter-server"))
          .containsExactly(
              "starts training",
              "got 1/2 updates",
              "got 2/2 updates",
              "updated model",
              "got 1/2 updates",
              "got 2/2 updates",
              "updated model",
              "got 1/2 updates",
              "got 2/2 updates",
              "updated model",
              "got 1/2 updates",
              "got 2/2 updates",
              "updated model",
              "finishes training");
      assertThat(said(world, "trainer1"))
          .hasSize(12)
          .startsWith("processing one batch", "reporting gradients", "got updated model");
    }
  }

  @Test
  void theModelLearnsToSayZero() {
    try (TestWorld world = start(3, 400)) {
      world.finished(0).await();
      List<Double> losses =
          world.said().stream()
              .filter(line -> line.startsWith("loss "))
              .map(line -> Double.valueOf(line.substring(5)))
              .toList();
      assertThat(losses).hasSize(800);
      assertThat(mean(losses.subList(780, 800)))
          .as("seed %d, from %s", SEED, mean(losses.subList(0, 20)))
          .isLessThan(0.8 * mean(losses.subList(0, 20)));
    }
  }

  @Test
  void theRoundGoesOnWithoutATrainerThatDies() throws InterruptedException {
    try (TestWorld world = start(4, 2000)) {
      world.await("got 3/3 updates");
      world.kill(2);
      world.finished(0).await();
      assertThat(said(world, "parameter-server"))
          .contains("has lost trainer2; the round goes on with 2 of them", "got 2/2 updates")
          .endsWith("updated model", "finishes training");
      assertThat(said(world, "trainer1").stream().filter("got updated model"::equals))
          .hasSize(2000);
    }
  }

  @Test
  void withoutAnyTrainerTheServerFails() throws InterruptedException {
    try (TestWorld world = start(2, 1_000_000)) {
      world.await("updated model");
      world.kill(1);
      assertThatThrownBy(() -> world.finished(0).await()).hasMessageContaining("trainer1");
    }
  }

  private static TestWorld start(int worldSize, int rounds) {
    return TestWorld.start(
        BatchProgram.PROGRAM,
        new JsonObject()
            .put("worldSize", worldSize)
            .put("rounds", rounds)
            .put("lr", 0.05)
            .put("seed", SEED));
  }

  /// What a worker has said, without times and its name.
  private static List<String> said(TestWorld world, String name) {
    return world.said().stream()
        .filter(line -> line.contains(" " + name + " "))
        .map(line -> line.substring(line.indexOf(name) + name.length() + 1))
        .map(line -> line.replaceFirst(" after .* s", ""))
        .toList();
  }

  private static double mean(List<Double> numbers) {
    return numbers.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
  }
}
