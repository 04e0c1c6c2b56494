// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.optim.checkpoint.Checkpoint;
import dev.tensorbus.optim.checkpoint.CheckpointException;
import dev.tensorbus.optim.checkpoint.Checkpoints;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoreCheckpointsTest {
  private static final ProgramSettings SETTINGS =
      ProgramSettings.withServers(CheckpointSettings.RESUME);

  @TempDir private Path folder;

  private JsonObject begun() {
    return new JsonObject().put("servers", 1).put("checkpoint", folder.toString());
  }

  private JsonObject resumed() {
    return begun().put("resume", "");
  }

  private static WorkerOptions options(JsonObject given) {
    return WorkerOptions.of(SETTINGS, given);
  }

  private static StoreCheckpoints checkpoints(JsonObject given) {
    return StoreCheckpoints.of(options(given));
  }

  private void save(Checkpoint checkpoint) {
    new Checkpoints(folder, 1).save(checkpoint, 3, false);
  }

  private void saveRun(String program) {
    save(new Checkpoint().withSettings(new StoreCheckpoints.Run(program, 5)));
  }

  private static void assertRefused(JsonObject given, String message) {
    assertThatThrownBy(() -> checkpoints(given).requireNoOlderRun())
        .isInstanceOf(UsageException.class)
        .hasMessage(message);
  }

  @Test
  void aRunBeginsInAnEmptyFolderOrInOneThatIsNotThere() {
    assertThatCode(() -> checkpoints(begun()).requireNoOlderRun()).doesNotThrowAnyException();
    JsonObject other = begun().put("checkpoint", folder.resolve("new").toString());
    assertThatCode(() -> checkpoints(other).requireNoOlderRun()).doesNotThrowAnyException();
    assertThat(checkpoints(begun()).shards(2)).isEqualTo(2);
  }

  @Test
  void aRunIsResumedWithTheShardsOfItsFirstStart() {
    saveRun("mnist");
    StoreCheckpoints found = checkpoints(resumed());
    found.requireNoOlderRun();
    assertThat(found.shards(2)).isEqualTo(5);
    assertThat(found.weights()).isEmpty();
  }

  @Test
  void theFolderOfTheCheckpointsMeansTheSameAsNone() {
    saveRun("mnist");
    Path same = folder.resolve("..").resolve(folder.getFileName());
    WorkerOptions options = options(begun().put("resume", same.toString()));
    assertThat(CheckpointSettings.isResumed(options)).isTrue();
    assertThat(CheckpointSettings.weights(options)).isEmpty();
  }

  @Test
  void aRunMayBeginWithTheWeightsOfAnother(@TempDir Path other) {
    StoreCheckpoints found = checkpoints(begun().put("resume", other.toString()));
    found.requireNoOlderRun();
    assertThat(found.weights()).contains(other);
  }

  @Test
  void whatCannotBeResumedIsRefused() {
    assertRefused(
        resumed(),
        "--resume is given, but there is no checkpoint in %s; leave --resume out to begin a run"
            .formatted(folder));
    Path none = folder.resolve("none");
    assertRefused(
        resumed().put("checkpoint", none.toString()),
        "--resume is given, but the folder %s does not exist; leave --resume out to begin a run"
            .formatted(none));
  }

  @Test
  void aRunThatWouldOverwriteAnEarlierOneIsRefused() {
    saveRun("mnist");
    assertRefused(
        begun(),
        "--checkpoint is the folder of an earlier run, whose newest checkpoint is %s; continue it"
                .formatted(folder.resolve("epoch-3"))
            + " with --resume, or use another folder");
  }

  @Test
  void theFolderOfAnotherProgramIsRefused() {
    saveRun("rnn");
    assertRefused(
        resumed(),
        "--checkpoint is the folder of another program: checkpoint %s is of rnn; expected one of"
                .formatted(folder.resolve("epoch-3"))
            + " mnist: use another folder");
  }

  @Test
  void theFolderOfAProgramOfAUserIsRefused() {
    save(new Checkpoint());
    assertThatThrownBy(() -> checkpoints(resumed()))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith("--checkpoint is the folder of another program: ")
        .hasMessageContaining("it has no settings")
        .hasMessageEndingWith("; expected one of mnist: use another folder");
  }

  @Test
  void damagedCheckpointsAreRefusedInOneLine() throws IOException {
    saveRun("mnist");
    Files.writeString(folder.resolve("epoch-3").resolve("manifest.json"), "{}");
    assertThatThrownBy(() -> checkpoints(resumed()))
        .isInstanceOf(CheckpointException.class)
        .hasMessageMatching("checkpoint .*epoch-3: .*; restore another checkpoint, or delete.*");
  }

  @ParameterizedTest
  @CsvSource({", PT30S", "5s, PT5S", "0.5s, PT0.5S", "1h30m, PT1H30M"})
  void theTimeBetweenCheckpointsHasAUnit(String given, Duration interval) {
    JsonObject json = given == null ? begun() : begun().put("checkpointEvery", given);
    assertThat(CheckpointSettings.interval(options(json))).isEqualTo(interval);
  }
}
