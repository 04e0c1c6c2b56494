// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.rnn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.tensorbus.models.text.MadeUpText;
import dev.tensorbus.optim.checkpoint.CheckpointException;
import dev.tensorbus.verticles.CompiledLog;
import dev.tensorbus.verticles.TestWorld;
import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.WorkerOptions;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A server and a trainer, each on a Vertx of its own.
@Tag("slow")
class RnnProgramTest {
  private static final long SEED = Long.getLong("seed", 1);
  private static final Pattern RESULT =
      Pattern.compile("held-out perplexity ([0-9.]+); .*, a factor of ([0-9.]+)");

  @TempDir private Path folder = Path.of("");

  @Test
  void theTutorialsSizesAreTheDefault() {
    try (TestWorld world = start(new JsonObject().put("epochs", 1))) {
      world.finished(1).await();
      assertThat(world.said())
          .first()
          .asString()
          .matches("learning from \\d+ generated words \\(--data FILE for a text\\), 10 .*");
      assertThat(world.said()).last().asString().startsWith("sample: ");
    }
  }

  @Test
  void aModelThatRemembersBeatsTheFrequenciesOfWords() {
    try (TestWorld world = start(small(4))) {
      world.finished(1).await();
      Matcher result = RESULT.matcher(line(world, "held-out"));
      assertThat(result.find()).isTrue();
      assertThat(Double.parseDouble(result.group(2)))
          .as("%s, seed %d", world.said(), SEED)
          .isGreaterThan(2);
    }
  }

  @Test
  void trainersOfAStoreLearnAsMuch() {
    JsonObject given =
        small(4)
            .put("servers", 1)
            .put("worldSize", 3)
            .put("consistency", "ssp:4")
            .put("seed", SEED);
    try (TestWorld world = TestWorld.start(RnnProgram.PROGRAM, given)) {
      for (int rank = 0; rank < 3; rank++) {
        world.finished(rank).await();
      }
      Matcher result = RESULT.matcher(line(world, "held-out"));
      assertThat(result.find()).isTrue();
      assertThat(Double.parseDouble(result.group(2)))
          .as("%s, seed %d", world.said(), SEED)
          .isGreaterThan(2);
      assertThat(world.said()).last().asString().startsWith("sample: ");
    }
  }

  @Test
  void trainersOfAStoreContinueARunAsIfItHadNotEnded() {
    String whole = lastEpoch(1, new JsonObject());
    JsonObject checkpoints = new JsonObject().put("checkpoint", folder.resolve("run").toString());
    lastEpoch(2, checkpoints.copy().put("epochs", 2));
    checkpoints.put("resume", "");
    assertThat(lastEpoch(1, checkpoints)).isEqualTo(whole);
    assertThatThrownBy(() -> lastEpoch(1, checkpoints.put("hidden", 8)))
        .isInstanceOf(CheckpointException.class)
        .hasMessageMatching("checkpoint .*epoch-3: model.* is float32 .*, expected float32 .*");
  }

  /// The state of the LSTM goes from batch to batch on the device, too.
  @Test
  void aDeviceLearnsAsMuchPerEpoch() {
    List<Double> expected = perplexities(lastEpoch(1, new JsonObject()));
    List<Double> actual;
    try (CompiledLog log = new CompiledLog()) {
      actual = perplexities(lastEpoch(1, new JsonObject().put("device", "cpu")));
      log.requireCompiled("[int64 [10, 4], int64 [40]]");
    }
    assertThat(actual.get(0)).isCloseTo(expected.get(0), withinPercentage(1));
    assertThat(actual.get(1)).isCloseTo(expected.get(1), withinPercentage(1));
  }

  /// Returns the perplexities in a line such as `epoch 3/3  training perplexity 2.00, held out
  /// 3.00`.
  private static List<Double> perplexities(String epoch) {
    return Pattern.compile("[0-9]+\\.[0-9]+")
        .matcher(epoch)
        .results()
        .map(found -> Double.valueOf(found.group()))
        .toList();
  }

  /// Returns what is said after the last of three epochs.
  private static String lastEpoch(int servers, JsonObject more) {
    JsonObject given =
        small(3)
            .put("dropout", 0.2)
            .put("servers", servers)
            .put("worldSize", servers + 2)
            .put("seed", SEED)
            .mergeIn(more);
    try (TestWorld world = TestWorld.start(RnnProgram.PROGRAM, given)) {
      for (int rank = servers; rank < servers + 2; rank++) {
        world.finished(rank).await();
      }
      return line(world, "epoch %1$d/%1$d".formatted(given.getInteger("epochs")));
    }
  }

  @Test
  void moreThanTwoWorkersNeedServers() {
    WorkerOptions options =
        WorkerOptions.of(RnnProgram.SETTINGS, new JsonObject().put("worldSize", 3));
    assertThatThrownBy(() -> RnnProgram.PROGRAM.check().accept(options))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "--world-size is 3; expected 2, a parameter server and a trainer: for more trainers,"
                + " set --servers too");
  }

  @Test
  void aRunThatIsResumedEndsAsOneThatWasNotInterrupted() {
    String saved = folder.resolve("saved").toString();
    String whole;
    try (TestWorld world = start(small(3))) {
      world.finished(1).await();
      whole = line(world, "epoch 3/3");
    }
    try (TestWorld world = start(small(1).put("save", saved))) {
      world.finished(1).await();
    }
    JsonObject rest = small(3).put("save", saved).put("resume", saved);
    try (TestWorld world = start(rest)) {
      world.finished(1).await();
      assertThat(world.said()).contains("resuming " + saved + " after epoch 1");
      assertThat(line(world, "epoch 3/3")).isEqualTo(whole);
    }
  }

  @Test
  void theModelOfAnotherTextIsRefused() throws IOException {
    String saved = folder.resolve("saved").toString();
    try (TestWorld world = start(small(1).put("save", saved))) {
      world.finished(1).await();
    }
    List<String> words = MadeUpText.write(200, new SplittableRandom(2));
    Path other =
        Files.writeString(folder.resolve("other"), "more words " + String.join(" ", words));
    try (TestWorld world = start(small(1).put("data", other.toString()).put("resume", saved))) {
      assertThatThrownBy(() -> world.finished(1).await())
          .isInstanceOf(CheckpointException.class)
          .hasMessageContaining(saved)
          .hasMessageContaining(
              "embedding.encoder.weight is float32 [10, 16], expected float32 [12, 16]");
    }
  }

  @Test
  void theTrainerSaysThatTheServerDied() throws InterruptedException {
    try (TestWorld world = start(small(1_000_000))) {
      world.await("epoch 1/");
      world.kill(0);
      assertThatThrownBy(() -> world.finished(1).await()).hasMessageContaining("parameter-server");
    }
  }

  @Test
  void theServerSaysThatItsTrainerDied() throws InterruptedException {
    try (TestWorld world = start(small(1_000_000))) {
      world.await("epoch 1/");
      world.kill(1);
      assertThatThrownBy(() -> world.finished(0).await())
          .hasMessage("trainer1 was lost before the training finished; restart the whole world");
    }
  }

  @Test
  void aTextThatIsTooShortIsRefusedBeforeAnythingStarts() throws IOException {
    Path file = Files.writeString(folder.resolve("text"), "too short");
    JsonObject given = new JsonObject().put("data", file.toString());
    WorkerOptions options = WorkerOptions.of(RnnProgram.SETTINGS, given);
    assertThatThrownBy(() -> RnnProgram.PROGRAM.check().accept(options))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "a text of 3 words is too short for 20 columns of at least 2; use a longer text or a"
                + " smaller batch");
  }

  private static JsonObject small(int epochs) {
    return new JsonObject()
        .put("epochs", epochs)
        .put("embedding", 16)
        .put("hidden", 32)
        .put("layers", 1)
        .put("dropout", 0)
        .put("batchSize", 4)
        .put("bptt", 10)
        .put("lr", 4)
        .put("lrDecay", 0.7);
  }

  private static TestWorld start(JsonObject given) {
    return TestWorld.start(RnnProgram.PROGRAM, given.put("seed", SEED).put("worldSize", 2));
  }

  private static String line(TestWorld world, String start) {
    return world.said().stream()
        .filter(line -> line.startsWith(start))
        .findFirst()
        .orElseThrow(() -> new AssertionError(start + " is not in " + world.said()));
  }
}
