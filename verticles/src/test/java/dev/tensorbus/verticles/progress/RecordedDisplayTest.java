// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.progress;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.tensorbus.optim.training.curve.SummaryWriter;
import dev.tensorbus.verticles.ProgramSettings;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.WorkerOptions;
import dev.tensorbus.verticles.progress.EventFile.Scalar;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class RecordedDisplayTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, UTF_8);
  @TempDir private Path folder = Path.of("");

  private RecordedDisplay display(Setting setting, Path path) {
    WorkerOptions options =
        WorkerOptions.of(
            ProgramSettings.with(), new JsonObject().put(setting.key(), path.toString()));
    return new RecordedDisplay(new ProgressEvents(out, out), options);
  }

  @Test
  void anEventFileHasWhatWasAddedBeforeItIsClosed() throws IOException {
    Map<String, Double> values = new LinkedHashMap<>();
    values.put("loss", 0.5);
    values.put("größe/κ", Double.POSITIVE_INFINITY);
    double before = Instant.now().toEpochMilli() / 1e3;
    try (SummaryWriter writer = new SummaryWriter(folder)) {
      writer.addScalar("accuracy", 0.25, 0);
      writer.addScalars(values, 1L << 40);
      List<Scalar> scalars = EventFile.readOnlyOne(folder);
      double after = Instant.now().toEpochMilli() / 1e3 + 1e-3;
      assertThat(scalars).allMatch(scalar -> scalar.time() >= before && scalar.time() <= after);
      assertThat(scalars)
          .extracting(Scalar::step, Scalar::tag, Scalar::value)
          .containsExactly(
              tuple(0L, "accuracy", 0.25f),
              tuple(1L << 40, "loss", 0.5f),
              tuple(1L << 40, "größe/κ", Float.POSITIVE_INFINITY));
    }
  }

  @Test
  void aLogHasAnObjectForEachStepAndGoesOnWhereAnEarlierRunEnded() throws IOException {
    Path log = folder.resolve("run.jsonl");
    for (int run = 0; run < 2; run++) {
      try (RecordedDisplay display = display(Setting.LOG, log)) {
        display.start(2);
        display.step(32, 0.5f);
        display.step(32, Float.NaN);
        display.scalar("accuracy", 0.75);
      }
    }
    List<JsonObject> lines = Files.readAllLines(log).stream().map(JsonObject::new).toList();
    assertThat(lines).hasSize(6).allMatch(line -> line.getInstant("time") != null);
    assertThat(lines.subList(0, 3))
        .extracting(line -> line.getLong("step"))
        .containsExactly(1L, 2L, 2L);
    assertThat(lines.get(0).getDouble("loss")).isEqualTo(0.5);
    assertThat(lines.get(1).getValue("loss")).isNull();
    assertThat(lines.get(1).getDouble("samples_per_second")).isPositive();
    assertThat(lines.get(5).getDouble("accuracy")).isEqualTo(0.75);
  }

  @Test
  void whatIsWrittenIsShownAsWell() {
    try (RecordedDisplay display = display(Setting.LOG, folder.resolve("run.jsonl"))) {
      display.start(1);
      display.step(32, 0.5f);
      display.scalar("accuracy", 0.75);
      display.say("a line");
    }
    assertThat(bytes.toString(UTF_8).lines())
        .containsExactly(
            "@tensorbus start 1",
            "@tensorbus step 32 0.5",
            "@tensorbus scalar 0.75 accuracy",
            "@tensorbus say a line");
  }

  @Test
  void aPlaceThatCannotBeWrittenIsRefused() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    assertThatThrownBy(() -> display(Setting.TENSORBOARD, file))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith("--tensorboard: folder " + file + " cannot be created (")
        .hasMessageEndingWith("); use another folder");
    Path nowhere = folder.resolve("no").resolve("run.jsonl");
    assertThatThrownBy(() -> display(Setting.LOG, nowhere))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith("--log: " + nowhere + " cannot be written (")
        .hasMessageEndingWith("use a path in an existing, writable folder");
  }

  @EnabledOnOs(OS.LINUX) // which has a disk that is always full
  @Test
  void aFullDiskEndsTheCurvesAndNotTheTraining() {
    try (RecordedDisplay display = display(Setting.LOG, Path.of("/dev/full"))) {
      display.start(2);
      display.step(32, 0.5f);
      display.step(32, 0.5f);
    }
    assertThat(bytes.toString(UTF_8).lines())
        .hasSize(4)
        .filteredOn(line -> !line.startsWith("@tensorbus "))
        .singleElement()
        .asString()
        .startsWith("warning: /dev/full cannot be written (")
        .endsWith(
            "check whether it is closed or the disk is full; no more curves are written to it");
  }
}
