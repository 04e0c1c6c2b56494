// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tensorbus.nn.Linear;
import dev.tensorbus.optim.Adam;
import dev.tensorbus.optim.Optimizer;
import dev.tensorbus.optim.schedule.Scheduler;
import dev.tensorbus.optim.schedule.StepLr;
import dev.tensorbus.rpc.testing.ForkedJvm;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The files of a checkpoint when they are damaged, when a save is cut off, and when others use the
/// folder.
class CheckpointFilesTest {
  private static final String MANIFEST = "manifest.json";

  @TempDir private Path folder;

  private final Linear layer = new Linear(2, 2, new SplittableRandom(1));
  private final Optimizer optimizer = new Adam(0.001).over(layer.parameters());
  private final Scheduler scheduler = new StepLr(2, 0.5).over(optimizer.groups());
  private final Checkpoint checkpoint =
      new Checkpoint()
          .withModel("layer", layer)
          .withOptimizer("adam", optimizer)
          .withProgress("schedule", scheduler);

  private void setBias(float value) {
    layer.parameters().getLast().update(_ -> new float[] {value, value});
  }

  private float bias() {
    return layer.parameters().getLast().values()[0];
  }

  private void saveWithBias(float value) {
    setBias(value);
    checkpoint.save(folder);
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString().replaceFirst("-[0-9a-f-]{36}", "-*"))
          .sorted()
          .toList();
    }
  }

  private Path tensors(String content) throws IOException {
    try (var files = Files.newDirectoryStream(folder, content + "-*")) {
      return files.iterator().next();
    }
  }

  private void refuses(String reason) {
    assertThatExceptionOfType(CheckpointException.class)
        .isThrownBy(() -> checkpoint.restore(folder))
        .withMessageStartingWith("checkpoint %s: %s", folder, reason);
  }

  @Test
  void everySingleBitFlipOfTheManifestIsRefused() throws IOException {
    optimizer.step(parameter -> parameter);
    checkpoint.save(folder);
    byte[] bytes = Files.readAllBytes(folder.resolve(MANIFEST));
    for (int bit = 0; bit < bytes.length * Byte.SIZE; bit++) {
      byte[] flipped = bytes.clone();
      flipped[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
      assertThatExceptionOfType(CheckpointException.class)
          .as("bit %d", bit)
          .isThrownBy(() -> Manifest.decode(flipped))
          .withMessageStartingWith("manifest.json ");
    }
    for (int length = 0; length < bytes.length; length++) {
      byte[] torn = Arrays.copyOf(bytes, length);
      assertThatExceptionOfType(CheckpointException.class)
          .isThrownBy(() -> Manifest.decode(torn))
          .withMessage("manifest.json is damaged: its checksum does not match");
    }
  }

  @Test
  void everySingleBitFlipOfTheTensorsIsRefused() throws IOException {
    checkpoint.save(folder);
    for (String content : List.of("model", "optimizers")) {
      Path file = tensors(content);
      byte[] bytes = Files.readAllBytes(file);
      for (int bit = 0; bit < bytes.length * Byte.SIZE; bit += 7) {
        byte[] flipped = bytes.clone();
        flipped[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
        Files.write(file, flipped);
        refuses(file.getFileName() + " is damaged: its checksum does not match");
      }
      Files.write(file, Arrays.copyOf(bytes, bytes.length - 1));
      refuses(
          "%s is damaged: it has %d bytes, expected %d"
              .formatted(file.getFileName(), bytes.length - 1, bytes.length));
      Files.delete(file);
      refuses(file.getFileName() + " is missing");
      Files.write(file, bytes);
    }
    checkpoint.restore(folder);
  }

  @Test
  void aManifestOfAnyContentIsRefusedWithTheFilesName() throws IOException {
    optimizer.step(parameter -> parameter);
    checkpoint.save(folder);
    JsonObject whole = new JsonObject(Files.readString(folder.resolve(MANIFEST)));
    whole.remove("checksum");
    writeManifest(whole);
    checkpoint.restore(folder);
    List<Object> strange =
        List.of(new JsonObject(), new JsonArray().addNull(), "", "../../etc/passwd", -1, 0.5, true);
    for (List<Object> path : paths(whole, List.of())) {
      for (Object value : strange) {
        writeManifest(changed(whole, path, value, false));
        requireSafe(path + " = " + value);
      }
      writeManifest(changed(whole, path, null, false));
      requireSafe(path + " = null");
      writeManifest(changed(whole, path, null, true));
      requireSafe("without " + path);
    }
    for (String text : List.of("null", "[]", "7", "\"text\"", "{}", "[[[[", "")) {
      writeManifest(text);
      refuses("manifest.json is ");
    }
  }

  /// Restoring succeeds or is refused: a number may be another one.
  private void requireSafe(String change) {
    try {
      checkpoint.restore(folder);
    } catch (CheckpointException e) {
      assertThat(e).as(change).hasMessageStartingWith("checkpoint " + folder + ": ");
    }
  }

  private void writeManifest(JsonObject json) throws IOException {
    String text = json.encodePrettily();
    writeManifest(text.length() < 2 ? text : text.substring(0, text.length() - 2));
  }

  /// Writes a file whose checksum is right.
  private void writeManifest(String body) throws IOException {
    byte[] bytes = body.getBytes(UTF_8);
    Files.writeString(
        folder.resolve(MANIFEST), body + new String(Manifest.checksum(bytes, bytes.length), UTF_8));
  }

  private static List<List<Object>> paths(Object json, List<Object> before) {
    List<List<Object>> paths = new ArrayList<>();
    if (json instanceof JsonObject object) {
      for (String name : object.fieldNames()) {
        paths.addAll(below(before, name, object.getValue(name)));
      }
    } else if (json instanceof JsonArray array) {
      for (int i = 0; i < array.size(); i++) {
        paths.addAll(below(before, i, array.getValue(i)));
      }
    }
    return paths;
  }

  private static List<List<Object>> below(List<Object> before, Object step, Object value) {
    List<Object> path = new ArrayList<>(before);
    path.add(step);
    List<List<Object>> paths = new ArrayList<>(List.of(List.copyOf(path)));
    paths.addAll(paths(value, path));
    return paths;
  }

  private static JsonObject changed(
      JsonObject whole, List<Object> path, Object value, boolean removes) {
    JsonObject changed = whole.copy();
    Object holder = changed;
    for (Object step : path.subList(0, path.size() - 1)) {
      holder =
          holder instanceof JsonArray array
              ? array.getValue((Integer) step)
              : ((JsonObject) holder).getValue((String) step);
    }
    Object last = path.getLast();
    if (holder instanceof JsonArray array) {
      if (removes) {
        array.remove((int) last);
      } else {
        array.set((Integer) last, value);
      }
    } else if (removes) {
      ((JsonObject) holder).remove((String) last);
    } else {
      ((JsonObject) holder).put((String) last, value);
    }
    return changed;
  }

  @Test
  void anOlderFormatIsNamed() throws IOException {
    Files.writeString(folder.resolve(MANIFEST), "{\"format\": \"tensorbus checkpoint 1\"}");
    refuses(
        "manifest.json has format \"tensorbus checkpoint 1\", expected \"tensorbus checkpoint"
            + " 2\"");
  }

  @Test
  void aTornManifestDoesNotBlockTheNextSave() throws IOException {
    saveWithBias(1);
    Path manifest = folder.resolve(MANIFEST);
    Files.writeString(manifest, Files.readString(manifest).substring(0, 100));
    refuses("manifest.json is damaged");
    saveWithBias(2);
    setBias(0);
    checkpoint.restore(folder);
    assertThat(bias()).isEqualTo(2);
    assertThat(files())
        .containsExactly(MANIFEST, "model-*.safetensors", "optimizers-*.safetensors", "write.lock");
  }

  @Test
  void aSaveThatIsCutOffAtAnyStepLeavesTheOldCheckpointOrTheNewOne() throws IOException {
    int steps = 0;
    for (boolean isDone = false; !isDone; steps++) {
      saveWithBias(1);
      setBias(2);
      CutOffFiles files = new CutOffFiles(steps);
      isDone = isSaved(files);
      setBias(0);
      checkpoint.restore(folder);
      assertThat(bias()).as("cut off after %s", files.steps()).isIn(isDone ? 2f : 1f, 2f);
      saveWithBias(3);
      setBias(0);
      checkpoint.restore(folder);
      assertThat(bias()).isEqualTo(3);
      assertThat(files())
          .as("after another save, cut off after %s", files.steps())
          .containsExactly(
              MANIFEST, "model-*.safetensors", "optimizers-*.safetensors", "write.lock");
    }
    assertThat(steps).isGreaterThan(20);
  }

  private boolean isSaved(CutOffFiles files) {
    try {
      checkpoint.save(files.of(folder));
      return true;
    } catch (CheckpointException e) {
      assertThat(e).hasMessageContaining("cut off");
      return false;
    }
  }

  @Test
  void aFirstSaveThatIsCutOffAtAnyStepLeavesNoCheckpointOrAWholeOne() throws IOException {
    Path parent = folder;
    int steps = 0;
    for (boolean isDone = false; !isDone; steps++) {
      folder = parent.resolve("run" + steps).resolve("inner");
      setBias(1);
      isDone = isSaved(new CutOffFiles(steps));
      if (Files.exists(folder.resolve(MANIFEST))) {
        checkpoint.restore(folder);
      } else {
        refuses("manifest.json is missing");
      }
      saveWithBias(2);
      assertThat(files()).hasSize(4);
    }
    assertThat(steps).isGreaterThan(20);
  }

  @Test
  void allIsOnTheDiskBeforeOldTensorsAreDeleted() {
    saveWithBias(1);
    CutOffFiles files = new CutOffFiles(Integer.MAX_VALUE);
    checkpoint.save(files.of(folder));
    String name = folder.getFileName().toString();
    assertThat(files.steps())
        .containsSubsequence(
            "force model-*.safetensors.*.part",
            "move to model-*.safetensors",
            "force " + name,
            "force optimizers-*.safetensors.*.part",
            "move to optimizers-*.safetensors",
            "force " + name,
            "create manifest.json.*.part",
            "write manifest.json.*.part",
            "force manifest.json.*.part",
            "move to manifest.json",
            "force " + name,
            "delete model-*.safetensors");
    assertThat(files.steps().subList(0, files.steps().lastIndexOf("force " + name)))
        .noneMatch(step -> step.startsWith("delete"));
  }

  @Test
  void noSymbolicLinkIsFollowed() throws IOException {
    Path other = Files.writeString(folder.resolve("other.txt"), "somebody's own");
    for (String name : List.of(MANIFEST, "manifest.json.part", "model-1.safetensors")) {
      Files.createSymbolicLink(folder.resolve(name), other);
    }
    saveWithBias(1);
    checkpoint.restore(folder);
    assertThat(other).hasContent("somebody's own");
    Files.delete(folder.resolve("write.lock"));
    Files.createSymbolicLink(folder.resolve("write.lock"), other);
    assertThatExceptionOfType(CheckpointException.class)
        .isThrownBy(() -> checkpoint.save(folder))
        .withMessageStartingWith("checkpoint " + folder + ": cannot be written (")
        .withMessageContaining("write.lock");
    assertThat(other).hasContent("somebody's own");
  }

  @Test
  void aUsersOwnFilesStay() throws IOException {
    List<String> own =
        List.of("model-1.safetensors", "model-best.safetensors", "notes.txt", "manifest.json.part");
    for (String name : own) {
      Files.writeString(folder.resolve(name), "somebody's own");
    }
    saveWithBias(1);
    saveWithBias(2);
    for (String name : own) {
      assertThat(folder.resolve(name)).hasContent("somebody's own");
    }
    assertThat(files()).hasSize(own.size() + 4);
  }

  /// Saves to a folder in another process.
  public static final class Writer {
    private Writer() {}

    /// @param arguments the folder, and a file for the outcome
    public static void main(String[] arguments) throws IOException {
      Path outcome = Path.of(arguments[1]);
      try {
        new Checkpoint().save(Path.of(arguments[0]));
        Files.writeString(outcome, "saved");
      } catch (CheckpointException e) {
        Files.writeString(outcome, e.getMessage());
      }
    }
  }

  private String saveElsewhere() throws IOException {
    Path outcome = folder.resolve("outcome.txt");
    try (ForkedJvm other = ForkedJvm.start(Writer.class, folder.toString(), outcome.toString())) {
      assertThat(other.awaitExit()).isEqualTo(0);
      return Files.readString(outcome);
    }
  }

  @Test
  void aSecondWriterOfThisProcessOrAnotherIsRefusedUntilTheFirstIsDone() throws IOException {
    String refused =
        "checkpoint %s: another writer is saving to this folder; stop one of them, or use separate"
                .formatted(folder)
            + " folders";
    try (WriteLock _ = WriteLock.of(folder)) {
      assertThatExceptionOfType(CheckpointException.class)
          .isThrownBy(() -> checkpoint.save(folder))
          .withMessage(refused);
      assertThat(saveElsewhere()).isEqualTo(refused); // the refused save has not released the lock
    }
    assertThat(saveElsewhere()).isEqualTo("saved");
    saveWithBias(1);
    checkpoint.restore(folder);
  }

  @Test
  void twoThreadsThatSaveAtOnceLeaveAWholeCheckpoint() throws Exception {
    checkpoint.save(folder);
    Callable<Integer> saves =
        () -> {
          int refused = 0;
          for (int i = 0; i < 50; i++) {
            try {
              checkpoint.save(folder);
            } catch (CheckpointException e) {
              assertThat(e).hasMessageContaining("another writer is saving to this folder");
              refused++;
            }
          }
          return refused;
        };
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      for (Future<Integer> refused : threads.invokeAll(List.of(saves, saves))) {
        assertThat(refused.get()).isLessThanOrEqualTo(50);
      }
    }
    checkpoint.restore(folder);
    assertThat(files()).hasSize(4);
  }
}
