// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.profiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.Tensor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// The JDK's Flight Recorder sees operations and blocks.
@Isolated // a recording has all that its process does
class RecordFunctionTest {
  @TempDir private Path folder;

  private final Recording recording = new Recording();

  @AfterEach
  void endRecording() {
    recording.close();
  }

  private void start() {
    recording.enable(OperationEvent.class).withoutThreshold();
    recording.start();
  }

  private List<RecordedEvent> recorded(String type) throws IOException {
    recording.stop();
    Path file = folder.resolve("test.jfr");
    recording.dump(file);
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().equals(type))
        .toList();
  }

  private List<String> blocks() throws IOException {
    return recorded(RecordFunctionEvent.NAME).stream()
        .map(event -> event.getString("block"))
        .toList();
  }

  @Test
  void aBlockIsOneEvent() throws IOException {
    start();
    try (RecordFunction _ = RecordFunction.begin("foo")) {
      Thread.onSpinWait();
    }
    assertThat(blocks()).containsExactly("foo");
  }

  @Test
  void aBlockMayEndWithAFuture() throws IOException {
    start();
    CompletableFuture<String> future = new CompletableFuture<>();
    try (RecordFunction block = RecordFunction.begin("foo")) {
      assertThat(block.endWith(future)).isNotNull();
    }
    future.complete("done");
    assertThat(blocks()).containsExactly("foo");
  }

  @Test
  void aBlockWhoseFutureHasNotEndedIsNoEvent() throws IOException {
    start();
    try (RecordFunction block = RecordFunction.begin("foo")) {
      assertThat(block.endWith(new CompletableFuture<>())).isNotNull();
    }
    assertThat(blocks()).isEmpty();
  }

  @Test
  void aBlockCannotEndWithAFutureTwice() {
    CompletableFuture<String> future = new CompletableFuture<>();
    try (RecordFunction block = RecordFunction.begin("foo")) {
      assertThat(block.endWith(future)).isNotNull();
      assertThatThrownBy(() -> block.endWith(future))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("can only be called once");
    }
  }

  @Test
  void operationsForwardAndBackwardAreEvents() throws IOException {
    start();
    Tensor weight = Tensor.of(1, 2, 3);
    weight.requiresGrad(true);
    weight.mul(Tensor.of(2, 2, 2)).gt(Tensor.of(0, 0, 0)).not();
    weight.mul(Tensor.of(2, 2, 2)).sum().backward();
    List<RecordedEvent> events = recorded(OperationEvent.NAME);
    assertThat(events)
        .extracting(event -> event.getString("operation"))
        .containsSubsequence("mul", "gt", "not", "mul", "sum", "sumBackward", "mulBackward");
    assertThat(events.getFirst().getString("shapes")).isEqualTo("[[3], [3]]");
    assertThat(events.getFirst().getLong("bytes")).isEqualTo(12);
  }
}
