// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training.curve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.Batch;
import dev.tensorbus.models.data.DataLoader;
import dev.tensorbus.models.data.Dataset;
import dev.tensorbus.models.data.Example;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.Sequential;
import dev.tensorbus.nn.loss.CrossEntropyLoss;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.optim.training.Epoch;
import dev.tensorbus.optim.training.Trainer;
import dev.tensorbus.optim.training.metric.Accuracy;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `RecordedDisplayTest` of verticles reads event files back, where a parser of protobuf is.
final class ScalarWriterTest {
  @TempDir private Path folder;

  @Test
  void aLineThatWasCutOffIsNotContinued() throws IOException {
    Path file = Files.writeString(folder.resolve("run.jsonl"), "{\"step\":1}\n{\"step\":2,\"lo");
    for (long step = 3; step < 5; step++) {
      try (JsonLinesWriter writer = new JsonLinesWriter(file)) {
        writer.addScalar("loss", 0.5, step);
      }
    }
    List<String> lines = Files.readAllLines(file);
    assertThat(lines).hasSize(4).element(1).isEqualTo("{\"step\":2,\"lo");
    assertThat(new JsonObject(lines.get(2)).getLong("step")).isEqualTo(3);
    assertThat(new JsonObject(lines.get(3)).getLong("step")).isEqualTo(4);
  }

  @Test
  void aTrainersListenerWritesEachStepAndEachEpoch() throws IOException {
    DataLoader<Example, Batch> batches =
        DataLoader.of(
            Dataset.of(List.of(new Example(Tensor.of(1f), 0), new Example(Tensor.of(-1f), 1))),
            1,
            Batch::of);
    Path file = folder.resolve("run.jsonl");
    List<Epoch> epochs;
    try (JsonLinesWriter writer = new JsonLinesWriter(file)) {
      Sequential net = new Sequential(new Linear(1, 2, new SplittableRandom(1)));
      epochs =
          Trainer.of(net, new Sgd(0.5), new CrossEntropyLoss())
              .withMetric(new Accuracy())
              .withListener(writer)
              .fit(batches, batches, 2);
    }
    List<JsonObject> lines = Files.readAllLines(file).stream().map(JsonObject::new).toList();
    assertThat(lines)
        .extracting(line -> line.getLong("step"))
        .containsExactly(1L, 2L, 2L, 3L, 4L, 4L);
    assertThat(lines.get(0).fieldNames()).containsExactly("time", "step", "loss");
    JsonObject last = lines.get(5);
    assertThat(last.fieldNames())
        .containsExactly(
            "time",
            "step",
            "learning_rate",
            "samples_per_second",
            "validation/loss",
            "validation/accuracy");
    assertThat(last.getDouble("validation/loss"))
        .isEqualTo(Objects.requireNonNull(epochs.getLast().validation()).loss())
        .isLessThan(lines.get(2).getDouble("validation/loss"));
  }

  @Test
  void aWriterThatIsClosedSaysSo() {
    Path file = folder.resolve("run.jsonl");
    JsonLinesWriter writer = new JsonLinesWriter(file);
    writer.close();
    assertThatThrownBy(() -> writer.addScalar("loss", 1, 1))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageStartingWith(file + " cannot be written (");
  }
}
