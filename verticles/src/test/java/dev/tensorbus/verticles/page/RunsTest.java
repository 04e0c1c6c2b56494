// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.optim.training.curve.JsonLinesWriter;
import dev.tensorbus.verticles.UsageException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The folder of runs.
class RunsTest {
  private static final String LINES = "{\"run\":{\"program\":\"mnist\"}}\n";

  @TempDir private Path folder;

  private List<String> ids(Runs runs) {
    return runs.list().getJsonArray("runs").stream()
        .map(run -> ((JsonObject) run).getString("id"))
        .toList();
  }

  @Test
  void theNameOfAFileHasTheStartAndTheProgram() {
    JsonObject about =
        new JsonObject()
            .put("program", "my.Main/../x")
            .put("started", Instant.parse("2026-11-28T07:13:58.98Z"));
    assertThat(Runs.fileOf(about)).isEqualTo("20261128-071358-my.Main_.._x.jsonl");
  }

  @Test
  void aSavedRunIsListedWithItsPropertiesAndLeavesNoOtherFile() throws IOException {
    Runs runs = Runs.in(folder.resolve("new"));
    runs.save("20261128-071358-mnist.jsonl", "{}\n");
    runs.save("20261128-071358-mnist.jsonl", LINES);
    assertThat(runs.list().getJsonArray("runs").getJsonObject(0).getJsonObject("run"))
        .isEqualTo(new JsonObject().put("program", "mnist"));
    try (Stream<Path> files = Files.list(folder.resolve("new"))) {
      assertThat(files).hasSize(1);
    }
  }

  @Test
  void damagedFilesAreSkippedWithALineAndLogsAreRuns() throws IOException {
    Runs runs = Runs.in(folder);
    runs.save("20261128-071358-mnist.jsonl", LINES);
    Files.writeString(folder.resolve("broken.jsonl"), "{\"run\":{\"pro");
    Files.write(folder.resolve("bytes.jsonl"), new byte[] {(byte) 0xff, (byte) 0xfe, 10});
    Files.writeString(folder.resolve("empty.jsonl"), "");
    Files.writeString(folder.resolve("other.jsonl"), "{\"a\":1}\n");
    try (JsonLinesWriter log = new JsonLinesWriter(folder.resolve("log.jsonl"))) {
      log.addScalar("loss", 0.5, 1);
    }
    assertThat(ids(runs)).containsExactlyInAnyOrder("20261128-071358-mnist.jsonl", "log.jsonl");
    assertThat(runs.list().getJsonArray("skipped"))
        .hasSize(4)
        .contains(
            "skipped broken.jsonl: its first line is damaged",
            "skipped other.jsonl: its first line has neither the properties of a run nor a time");
  }

  @Test
  void theOldestRunsOfWorldsAreDeletedButNoOtherFile() throws IOException {
    Runs runs = Runs.in(folder);
    Files.writeString(folder.resolve("0.jsonl"), "{\"time\":0}\n");
    for (int second = 0; second < 105; second++) {
      runs.save("20261128-%06d-mnist.jsonl".formatted(second), LINES);
    }
    assertThat(ids(runs))
        .hasSize(101)
        .contains("0.jsonl", "20261128-000104-mnist.jsonl", "20261128-000005-mnist.jsonl")
        .doesNotContain("20261128-000004-mnist.jsonl");
  }

  @Test
  void onlyFilesOfTheListAreFound() throws IOException {
    Runs runs = Runs.in(folder.resolve("runs"));
    Files.writeString(folder.resolve("secret.jsonl"), LINES);
    runs.save("20261128-071358-mnist.jsonl", LINES);
    assertThat(runs.find("20261128-071358-mnist.jsonl")).isPresent();
    assertThat(runs.find("../secret.jsonl")).isEmpty();
  }

  @Test
  void aFolderThatCannotBeCreatedIsAnErrorThatNamesIt() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    assertThatThrownBy(() -> Runs.in(file.resolve("runs")))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith(
            "the folder of runs " + file.resolve("runs") + " cannot be created");
  }
}
