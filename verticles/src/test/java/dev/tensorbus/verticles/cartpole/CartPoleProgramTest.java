// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.cartpole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.verticles.TestWorld;
import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.WorkerOptions;
import io.vertx.core.json.JsonObject;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// An agent and its observers, each on a Vertx of its own.
@Tag("slow")
class CartPoleProgramTest {
  private static final long SEED = Long.getLong("seed", 1);
  private static final Pattern RESULT =
      Pattern.compile("Running reward is now ([0-9.]+): ([0-9]+) episodes, ([0-9]+) steps");

  @TempDir private Path folder = Path.of("");

  /// An agent that does not learn has a running reward of about 22.
  @Tag("long")
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theAgentLearnsToBalanceThePole(boolean inBatches) {
    try (TestWorld world = start(3, 55, inBatches)) {
      world.finished(0).await();
      double reward = Double.parseDouble(result(world).group(1));
      assertThat(reward).as("running reward, seed %d", SEED).isGreaterThan(40);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void equalSeedsGiveEqualRunsWhoeverAsksFirst(boolean inBatches) {
    assertThat(run(inBatches)).as("seed %d", SEED).isEqualTo(run(inBatches));
  }

  /// The result of a run, without its time.
  private String run(boolean inBatches) {
    try (TestWorld world = start(3, 20, inBatches)) {
      world.finished(0).await();
      return result(world).group();
    }
  }

  @Test
  void theAgentSaysHowItGoesAndDrawsIt() throws IOException {
    try (TestWorld world = start(2, 20, false)) {
      world.finished(0).await();
      assertThat(world.said())
          .contains("This will run until reward threshold of 475.0 is reached. Ctrl+C to exit.")
          .anyMatch(line -> line.matches("Episode 10\tLast reward: .*\tAverage reward: .*"))
          .anyMatch(line -> line.matches("average reward .{20}"))
          .contains("reward curve in " + curve().toAbsolutePath());
      assertThat(result(world).group(2)).isEqualTo("20");
    }
    BufferedImage image = ImageIO.read(curve().toFile());
    assertThat(image.getWidth()).isEqualTo(800);
  }

  @Test
  void aRunGoesOnWithTheOneThatWasKept() {
    String saved = folder.resolve("saved").toString();
    JsonObject first = given(2, 10).put("save", saved);
    try (TestWorld world = TestWorld.start(CartPoleProgram.PROGRAM, first)) {
      world.finished(0).await();
    }
    JsonObject second = given(2, 20).put("resume", saved);
    try (TestWorld world = TestWorld.start(CartPoleProgram.PROGRAM, second)) {
      world.finished(0).await();
      assertThat(world.said())
          .contains("resuming " + saved + " after episode 10")
          .anyMatch(line -> line.startsWith("Episode 20\t"))
          .noneMatch(line -> line.startsWith("Episode 10\t"));
      assertThat(result(world).group(2)).isEqualTo("10");
    }
  }

  @Test
  void batchesSayWhatTheyGain() {
    try (TestWorld world = start(3, 5, true)) {
      world.finished(0).await();
      assertThat(world.said())
          .anyMatch(line -> line.matches("one forward for 2 observers: .* steps/s; .* speedup .*"));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theAgentGoesOnWithoutAnObserverThatDies(boolean inBatches) throws InterruptedException {
    try (TestWorld world = start(3, 1_000_000, inBatches)) {
      world.await("Episode 10\t");
      world.kill(2);
      world.await("agent: observer2 is lost; continuing with 1 observer");
      world.awaitNext("Episode ");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anObserverThatIsStartedAgainTakesPart(boolean inBatches) throws InterruptedException {
    try (TestWorld world = start(3, 1_000_000, inBatches)) {
      world.await("Episode 10\t");
      world.kill(2);
      world.await("agent: observer2 is lost; continuing with 1 observer");
      world.restart(2);
      world.await("agent: observer2 is back; continuing with 2 observers");
      world.awaitNext("Episode ");
    }
  }

  @Test
  void withoutAnyObserverTheAgentFails() throws InterruptedException {
    try (TestWorld world = start(2, 1_000_000, false)) {
      world.await("Episode 10");
      world.kill(1);
      assertThatThrownBy(() -> world.finished(0).await()).hasMessageContaining("observer1");
    }
  }

  @Test
  void aCurveWithoutAFolderIsRefusedBeforeAnythingStarts() {
    JsonObject given = new JsonObject().put("curve", "no/such/curve.png");
    WorkerOptions options = WorkerOptions.of(CartPoleProgram.SETTINGS, given);
    assertThatThrownBy(() -> CartPoleProgram.PROGRAM.check().accept(options))
        .isInstanceOf(UsageException.class)
        .hasMessage("--curve is no/such/curve.png; expected a file in an existing folder");
  }

  private TestWorld start(int worldSize, int episodes, boolean inBatches) {
    return TestWorld.start(
        CartPoleProgram.PROGRAM, given(worldSize, episodes).put("batch", inBatches));
  }

  private JsonObject given(int worldSize, int episodes) {
    return new JsonObject()
        .put("worldSize", worldSize)
        .put("episodes", episodes)
        .put("curve", curve().toString())
        .put("seed", SEED);
  }

  private Path curve() {
    return folder.resolve("curve.png");
  }

  private static Matcher result(TestWorld world) {
    String line =
        world.said().stream().filter(each -> each.contains(" episodes, ")).findFirst().orElse("");
    Matcher matcher = RESULT.matcher(line);
    assertThat(matcher.find()).as("%s", world.said()).isTrue();
    return matcher;
  }
}
