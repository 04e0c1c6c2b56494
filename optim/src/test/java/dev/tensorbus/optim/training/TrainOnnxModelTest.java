// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.onnx.OnnxModel;
import dev.tensorbus.models.data.Batch;
import dev.tensorbus.rpc.testing.MemoryWorld;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The program of docs/onnx-models.md, with two workers in this JVM.
final class TrainOnnxModelTest {
  private static final Path MODEL =
      Path.of("..", "autograd", "src", "test", "resources", "onnx", "resnet18.onnx");

  @AutoClose private final MemoryWorld workers = new MemoryWorld(2);
  @TempDir private Path folder;

  @Test
  void twoWorkersTrainANewHeadAndSaveTheModel() {
    Path tuned = folder.resolve("tuned.onnx");
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      IntStream.range(0, 2)
          .mapToObj(workers::worker)
          .map(rpc -> run(() -> TrainOnnxModel.train(rpc, MODEL, tuned), threads))
          .toList()
          .forEach(worker -> worker.orTimeout(1, TimeUnit.MINUTES).join());
    }
    Batch all = Batch.of(TrainOnnxModel.examples());
    Tensor predicted = OnnxModel.load(tuned).forward(all.inputs()).argmax(1);
    Tensor right = predicted.eq(all.targets()).sum(); // of 16; 8 without training
    assertThat(right.longs()[0]).isGreaterThanOrEqualTo(14);
  }

  private static CompletableFuture<Void> run(Runnable body, Executor threads) {
    return CompletableFuture.runAsync(body, threads);
  }
}
