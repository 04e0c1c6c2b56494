// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tensorbus.nn.Linear;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointsTest {
  @TempDir private Path folder;

  private final Linear layer = new Linear(1, 1, new SplittableRandom(1));
  private final Checkpoint checkpoint = new Checkpoint().withModel("layer", layer);

  private Checkpoints run(int kept) {
    return new Checkpoints(folder, kept);
  }

  private void setBias(float value) {
    layer.parameters().getLast().update(_ -> new float[] {value});
  }

  private float restored(Path path) {
    setBias(-1);
    checkpoint.restore(path);
    return layer.parameters().getLast().item();
  }

  /// Saves epochs whose bias is their number and that of the run.
  private void save(Checkpoints run, float mark, long... epochs) {
    for (long epoch : epochs) {
      setBias(epoch + mark);
      run.save(checkpoint, epoch, epoch == 1);
    }
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(path -> path.getFileName().toString())
          .filter(name -> !name.equals("write.lock"))
          .sorted()
          .toList();
    }
  }

  private Path newest() {
    return run(1).newest().orElseThrow();
  }

  @Test
  void aNewRunInAFolderWithOlderCheckpointsKeepsItsOwn() throws IOException {
    save(run(2), 0, 1, 2, 3, 4, 5);
    assertThat(names()).containsExactly("best", "epoch-4", "epoch-5");
    Checkpoints second = run(2);
    save(second, 0.5f, 1);
    assertThat(names()).containsExactly("best", "epoch-1", "epoch-5");
    assertThat(restored(newest())).isEqualTo(1.5f);
    save(second, 0.5f, 2);
    assertThat(names()).containsExactly("best", "epoch-1", "epoch-2");
    assertThat(restored(newest())).isEqualTo(2.5f);
  }

  @Test
  void aRunThatGoesBackToAnEarlierEpochKeepsWhatItWritesThen() throws IOException {
    Checkpoints run = run(3);
    save(run, 0, 1, 2, 3, 4, 5);
    save(run, 0.5f, 2, 3);
    assertThat(names()).containsExactly("best", "epoch-2", "epoch-3", "epoch-5");
    assertThat(restored(newest())).isEqualTo(3.5f);
  }

  @Test
  void anUnfinishedEpochIsTheNewestUntilALaterCheckpoint() throws IOException {
    Checkpoints run = run(2);
    save(run, 0, 1);
    setBias(1.5f);
    run.saveUnfinished(checkpoint);
    assertThat(restored(newest())).isEqualTo(1.5f);
    Path unfinished = folder.resolve("unfinished");
    Path copy = folder.resolve("copy");
    copy(unfinished, copy);
    save(run, 0, 2);
    assertThat(unfinished).doesNotExist();
    Files.move(copy, unfinished); // the process ended before it was deleted
    assertThat(restored(newest())).isEqualTo(2);
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectory(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  @Test
  void aHalfDeletedCheckpointIsNotTheNewest() throws IOException {
    Checkpoints run = run(3);
    save(run, 0, 1, 2);
    setBias(2.5f);
    run.saveUnfinished(checkpoint);
    try (var tensors = Files.newDirectoryStream(folder.resolve("unfinished"), "model-*")) {
      Files.delete(tensors.iterator().next());
    }
    assertThat(restored(newest())).isEqualTo(2);
    Path manifest = folder.resolve("epoch-2").resolve("manifest.json");
    Files.write(manifest, Arrays.copyOf(Files.readAllBytes(manifest), 50));
    assertThat(restored(newest())).isEqualTo(1);
    Files.delete(folder.resolve("epoch-1").resolve("manifest.json"));
    assertThatExceptionOfType(CheckpointException.class)
        .isThrownBy(run(1)::newest)
        .withMessageMatching(
            "checkpoint .*unfinished: model-.*\\.safetensors is missing; restore another"
                + " checkpoint, or delete this one");
  }

  @Test
  void damagedCheckpointsAreTheFirstToBeDeletedAndBlockNoSave() throws IOException {
    Checkpoints run = run(2);
    save(run, 0, 1, 2);
    for (String name : List.of("epoch-2", "best")) {
      Files.writeString(folder.resolve(name).resolve("manifest.json"), "{");
    }
    save(run, 0, 3);
    assertThat(names()).containsExactly("best", "epoch-1", "epoch-3");
    setBias(4);
    run.save(checkpoint, 4, true);
    assertThat(restored(run.best())).isEqualTo(4);
  }

  @Test
  void aSaveThatIsCutOffAtAnyStepLeavesAWholeNewestAndAWholeBest() throws IOException {
    Path parent = folder;
    int steps = 0;
    for (boolean isDone = false; !isDone; steps++) {
      folder = Files.createDirectory(parent.resolve("run" + steps));
      Checkpoints run = run(1);
      save(run, 0, 1);
      setBias(1.5f);
      run.saveUnfinished(checkpoint);
      setBias(2);
      CutOffFiles files = new CutOffFiles(steps);
      isDone = isSaved(files);
      assertThat(restored(newest())).as("cut off after %s", files.steps()).isIn(1.5f, 2f);
      assertThat(restored(run.best())).as("cut off after %s", files.steps()).isIn(1f, 2f);
      Checkpoints resumed = run(1);
      save(resumed, 0, 3);
      assertThat(restored(newest())).isEqualTo(3);
      assertThat(names()).as("cut off after %s", files.steps()).containsExactly("best", "epoch-3");
    }
    assertThat(steps).isGreaterThan(50);
  }

  private boolean isSaved(CutOffFiles files) {
    try {
      new Checkpoints(files.of(folder), 1).save(checkpoint, 2, true);
      return true;
    } catch (CheckpointException e) {
      assertThat(e).hasMessageContaining("cut off");
      return false;
    }
  }

  @Test
  void theManifestIsDeletedFirst() throws IOException {
    save(run(1), 0, 1);
    CutOffFiles files = new CutOffFiles(Integer.MAX_VALUE);
    new Folder(files.of(folder.resolve("epoch-1"))).delete();
    assertThat(files.steps())
        .containsExactlyInAnyOrder(
            "delete manifest.json",
            "force epoch-1",
            "delete model-*.safetensors",
            "delete optimizers-*.safetensors",
            "delete write.lock",
            "delete epoch-1")
        .startsWith("delete manifest.json", "force epoch-1");
  }

  @Test
  void aUsersOwnFilesStayWhenACheckpointIsDeleted() throws IOException {
    Checkpoints run = run(1);
    save(run, 0, 1);
    Path notes = folder.resolve("epoch-1").resolve("notes.txt");
    Path model = folder.resolve("epoch-1").resolve("model-1.safetensors");
    Path inner = Files.createDirectory(folder.resolve("epoch-1").resolve("plots"));
    Path own = Files.createDirectory(folder.resolve("epoch-99")).resolve("x.txt");
    for (Path file : List.of(notes, model, own, folder.resolve("epoch-7"))) {
      Files.writeString(file, "somebody's own");
    }
    save(run, 0, 2, 3);
    for (Path file : List.of(notes, model, own, folder.resolve("epoch-7"))) {
      assertThat(file).hasContent("somebody's own");
    }
    assertThat(inner).isDirectory();
    assertThat(folder.resolve("epoch-1").toFile().list())
        .containsExactlyInAnyOrder("notes.txt", "model-1.safetensors", "plots");
    assertThat(restored(newest())).isEqualTo(3);
  }

  @Test
  void aSecondRunThatWritesToTheFolderIsAnError() {
    Checkpoints first = run(2);
    Checkpoints second = run(2);
    save(first, 0, 1);
    save(second, 0, 2);
    assertThatExceptionOfType(CheckpointException.class)
        .isThrownBy(() -> first.saveUnfinished(checkpoint))
        .withMessage(
            "checkpoints %s: another run has written epoch-2 since this run's last checkpoint;"
                + " stop one of them, or use separate folders",
            folder);
    save(second, 0, 3);
  }

  @Test
  void aSaveWhileAnotherRunSavesIsRefused() throws IOException {
    try (WriteLock _ = WriteLock.of(folder)) {
      assertThatExceptionOfType(CheckpointException.class)
          .isThrownBy(() -> run(1).saveUnfinished(checkpoint))
          .withMessage(
              "checkpoints %s: another writer is saving to this folder; stop one of them, or use"
                  + " separate folders",
              folder);
    }
    run(1).saveUnfinished(checkpoint);
    assertThat(newest()).hasFileName("unfinished");
  }

  @Test
  void anEmptyFolderHasNone() {
    assertThat(run(1).newest()).isEqualTo(Optional.empty());
    assertThat(new Checkpoints(folder.resolve("missing"), 1).newest()).isEmpty();
    assertThat(Objects.requireNonNull(folder.toFile().list())).isEmpty();
  }
}
