// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.server;

import dev.tensorbus.benchmarks.measure.Benchmark;
import dev.tensorbus.benchmarks.measure.Figure;
import dev.tensorbus.benchmarks.measure.GivenSettings;
import dev.tensorbus.models.text.MadeUpText;
import dev.tensorbus.optim.server.LocalSteps;
import dev.tensorbus.optim.server.ServerOptions;
import dev.tensorbus.optim.server.StoreOptions;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.SettingType;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/// Compares [LocalSteps] with synchronous steps: the bytes that trainers and their server send for
/// a sample, and the final loss on text that was held out. Two trainers teach a small GPT the next
/// character. Both runs see the same samples.
public final class LocalStepsBench implements Benchmark {
  /// The file of the text.
  public static final Setting TEXT =
      new Setting(
          "text",
          "FILE",
          new SettingType.ExistingFile(),
          null,
          "the text to learn (default: a made-up one)");

  private static final int TRAINERS = 2;
  private static final int LOCAL_STEPS = 50;
  private static final int SENTENCES = 20_000;

  /// Creates the benchmark.
  public LocalStepsBench() {}

  @Override
  public String name() {
    return "local-steps";
  }

  @Override
  public String summary() {
    return "bytes and loss with a push every 50 steps, for ten minutes";
  }

  @Override
  public void check(JsonObject given) {
    new GivenSettings(given).check(TEXT);
  }

  @Override
  public int run(JsonObject given) throws IOException {
    String file = given.getString(TEXT.key());
    String text =
        file == null
            ? String.join(" ", MadeUpText.write(SENTENCES, new SplittableRandom(1)))
            : Files.readString(Path.of(file));
    run(new TextTask(text), LOCAL_STEPS * 80, LOCAL_STEPS);
    return 0;
  }

  /// Prints the figures of both runs.
  ///
  /// @param steps the number of steps of each trainer
  static void run(TextTask task, int steps, int localSteps) {
    StoreOptions options = StoreOptions.of("server1").withTrainers(TRAINERS);
    Outcome bsp = train(task, options, steps);
    Outcome local = train(task, options.withLocalSteps(LocalSteps.of(localSteps)), steps);
    print("local-steps.bsp.", bsp);
    print("local-steps." + localSteps + ".", local);
    System.out.println(new Figure("local-steps.bytes", bsp.bytes() / local.bytes(), "times fewer"));
    System.out.println(new Figure("local-steps.loss", 100 * (local.loss() / bsp.loss() - 1), "%"));
  }

  /// The figures of a run.
  ///
  /// @param bytes the bytes that were sent for a sample
  private record Outcome(double loss, double bytes) {}

  private static Outcome train(TextTask task, StoreOptions options, int steps) {
    try (ServerWorld world = world();
        ExecutorService threads = Executors.newFixedThreadPool(TRAINERS)) {
      world.startServers();
      List<Rpc> workers =
          IntStream.rangeClosed(1, TRAINERS).mapToObj(i -> world.open("trainer" + i)).toList();
      List<CompletableFuture<Float>> losses =
          workers.stream()
              .map(
                  rpc ->
                      CompletableFuture.supplyAsync(() -> task.train(rpc, options, steps), threads))
              .toList();
      double loss = losses.stream().mapToDouble(CompletableFuture::join).average().orElseThrow();
      long bytes = world.sentByServers() + workers.stream().mapToLong(WorldMember::sentBytes).sum();
      return new Outcome(loss, bytes / (double) TextTask.samples(steps * TRAINERS));
    }
  }

  private static ServerWorld world() {
    return new ServerWorld(ServerOptions.of("server1"), System.err::println);
  }

  private static void print(String prefix, Outcome outcome) {
    System.out.println(new Figure(prefix + "loss", outcome.loss(), "nats/character"));
    System.out.println(new Figure(prefix + "bytes", outcome.bytes(), "bytes/sample"));
  }
}
