// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.mnist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.MnistNet;
import dev.tensorbus.models.digits.Digits;
import dev.tensorbus.optim.checkpoint.Checkpoint;
import dev.tensorbus.optim.checkpoint.Checkpoints;
import dev.tensorbus.verticles.Commands;
import dev.tensorbus.verticles.Commands.Running;
import dev.tensorbus.verticles.command.Main;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `tensorbus train mnist --servers`, all processes of which are killed at once.
@Tag("slow")
class ResumeMnistIT {
  private static final int COUNT = 100;

  private final long seed = Long.getLong("seed", System.nanoTime());
  private final Random random = new Random(seed);

  @TempDir private Path folder;

  @Test
  void aRunOfWhichEverythingIsKilledEndsWithTheSameBitsOnOtherServersAndTrainers()
      throws Exception {
    writeNoise("train");
    writeNoise("t10k");
    String[] accuracies = new String[2];
    Path whole = folder.resolve("whole");
    try (Running world = train("--servers", "1", "--save", whole.toString())) {
      accuracies[0] = accuracy(world);
    }
    String run = folder.resolve("run").toString();
    List<ProcessHandle> killed;
    try (Running world =
        train("--servers", "2", "--checkpoint", run, "--checkpoint-every", "0.2s")) {
      world.await("step 100/200");
      killed = world.descendants();
    }
    killed.forEach(process -> process.onExit().join());
    assertThat(new Checkpoints(Path.of(run), 1).newest()).as("seed %d", seed).isPresent();
    Path rest = folder.resolve("rest");
    try (Running world =
        train(
            "--servers",
            "1",
            "--world-size",
            "2",
            "--checkpoint",
            run,
            "--resume",
            "--save",
            rest.toString())) {
      accuracies[1] = accuracy(world);
      assertThat(world.output()).contains("resumed after step ");
    }
    assertThat(accuracies[1]).as("seed %d", seed).isEqualTo(accuracies[0]);
    assertThat(parameters(rest))
        .as("seed %d", seed)
        .usingRecursiveComparison()
        .isEqualTo(parameters(whole));
  }

  /// Writes a part of a small data set in MNIST's format.
  private void writeNoise(String part) throws IOException {
    byte[] pixels = new byte[COUNT * Digits.SIDE * Digits.SIDE];
    byte[] labels = new byte[COUNT];
    random.nextBytes(pixels);
    for (int i = 0; i < COUNT; i++) {
      labels[i] = (byte) random.nextInt(10);
    }
    ByteBuffer images = ByteBuffer.allocate(16 + pixels.length).putInt(0x803).putInt(COUNT);
    images.putInt(Digits.SIDE).putInt(Digits.SIDE).put(pixels);
    Files.write(folder.resolve(part + "-images-idx3-ubyte"), images.array());
    ByteBuffer digits = ByteBuffer.allocate(8 + COUNT).putInt(0x801).putInt(COUNT).put(labels);
    Files.write(folder.resolve(part + "-labels-idx1-ubyte"), digits.array());
  }

  private Running train(String... options) throws IOException {
    return Commands.plainJava(
        Main.class,
        Stream.concat(
                Stream.of("train", "mnist", "--data", folder.toString()),
                Stream.concat(Stream.of("--epochs", "2", "--batch-size", "1"), Stream.of(options)))
            .toArray(String[]::new));
  }

  private static String accuracy(Running world) throws InterruptedException {
    assertThat(world.end()).as(world.output()).isZero();
    return world
        .output()
        .lines()
        .filter(line -> line.startsWith("test accuracy "))
        .findFirst()
        .orElseThrow(() -> new AssertionError(world.output()));
  }

  private static List<float[]> parameters(Path saved) {
    MnistNet net = new MnistNet(new SplittableRandom(2));
    new Checkpoint().withModel("net", net).restore(saved);
    return net.parameters().stream().map(Tensor::values).toList();
  }
}
