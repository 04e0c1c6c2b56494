// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.optim.Optimizer;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.optim.checkpoint.Checkpoint;
import dev.tensorbus.optim.checkpoint.Checkpoints;
import dev.tensorbus.rpc.Progress;
import dev.tensorbus.verticles.CompiledLog;
import dev.tensorbus.verticles.TestWorld;
import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.WorkerOptions;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A server and its trainers, each on a Vertx of its own.
@Tag("slow")
class BatchProgramTest {
  private static final long SEED = Long.getLong("seed", 1);

  /// The rounds of worlds with parameter servers.
  private static final int SERVED_ROUNDS = 100;

  @Test
  void allTrainersOfARoundAreAnsweredAtOnce() {
    try (TestWorld world = start(3, 4)) {
      world.finished(0).await();
      assertThat(said(world, "parameter-server"))
          .containsExactly(
              "starts training",
              "got 1/2 updates",
              "got 2/2 updates",
              "updated model",
              "got 1/2 updates",
              "got 2/2 updates",
              "updated model",
              "got 1/2 updates",
              "got 2/2 updates",
              "updated model",
              "got 1/2 updates",
              "got 2/2 updates",
              "updated model",
              "finishes training");
      assertThat(said(world, "trainer1"))
          .hasSize(12)
          .startsWith("processing one batch", "reporting gradients", "got updated model");
    }
  }

  @Test
  void theModelLearnsToSayZero() {
    try (TestWorld world = start(3, 400)) {
      world.finished(0).await();
      List<Float> losses = losses(world);
      assertThat(losses).hasSize(800);
      assertThat(mean(losses.subList(780, 800)))
          .as("seed %d, from %s", SEED, mean(losses.subList(0, 20)))
          .isLessThan(0.8 * mean(losses.subList(0, 20)));
    }
  }

  @Test
  void aRunBeginsWithTheModelThatAnotherHasKept(@TempDir Path folder) {
    Path first = folder.resolve("first");
    Path second = folder.resolve("second");
    run(new JsonObject().put("save", first.toString()));
    // So small a rate leaves the weights as they are.
    run(
        new JsonObject()
            .put("resume", first.toString())
            .put("save", second.toString())
            .put("lr", 1e-30));
    assertThat(bias(second)).containsExactly(bias(first));
    assertThat(bias(first)).isNotEqualTo(fresh().parameters().getLast().values());
  }

  private static void run(JsonObject given) {
    try (TestWorld world =
        TestWorld.start(BatchProgram.PROGRAM, given.put("worldSize", 2).put("rounds", 5))) {
      world.finished(0).await();
    }
  }

  private static Layer fresh() {
    WorkerOptions options =
        WorkerOptions.of(BatchProgram.SETTINGS, new JsonObject().put("worldSize", 2));
    return Workload.of(options, new SplittableRandom(options.seed())).model();
  }

  private static float[] bias(Path saved) {
    Layer model = fresh();
    new Checkpoint().withModel("model", model).restore(saved);
    return model.parameters().getLast().values();
  }

  @Test
  void gradientsThatDoNotFitAreRefused() {
    Linear model = new Linear(2, 1, new SplittableRandom(SEED));
    BatchUpdateParameterServer server =
        new BatchUpdateParameterServer(model, new Sgd(1), new TimedLog(Progress.NONE));
    assertThatThrownBy(() -> server.updateAndFetchModel(List.of(Tensor.zeros(1, 3))))
        .isInstanceOf(ShapeException.class)
        .hasMessage(
            "step: gradients [float32 [1, 3]] do not fit parameters"
                + " [float32 [1, 2], float32 [1]]");
  }

  /// All workers share this JVM, and with it the scratch arrays of kernels.
  @Test
  void aLargeModelLearnsAsItWouldWithoutTheOthers() {
    JsonObject options =
        options(3, 30).put("inputs", 150).put("outputs", 140).put("batchSize", 120);
    try (TestWorld world = TestWorld.start(BatchProgram.PROGRAM, options)) {
      world.finished(0).await();
      assertThat(losses(world))
          .as("seed %d", SEED)
          .containsExactlyInAnyOrderElementsOf(plainLosses(options));
    }
  }

  @Test
  void aDeviceComputesTheSameLosses() {
    JsonObject options = options(3, 30);
    List<Float> expected = plainLosses(options).stream().sorted().toList();
    try (CompiledLog log = new CompiledLog();
        TestWorld world = TestWorld.start(BatchProgram.PROGRAM, options.put("device", "cpu"))) {
      world.finished(0).await();
      log.requireCompiled("[float32 [20, 100], float32 [20, 30]]");
      List<Float> actual = losses(world).stream().sorted().toList();
      assertThat(actual).hasSize(60);
      for (int i = 0; i < actual.size(); i++) {
        assertThat(actual.get(i)).as("seed %d", SEED).isCloseTo(expected.get(i), within(1e-5f));
      }
    }
  }

  /// The losses if one trainer learns after the other.
  private static List<Float> plainLosses(JsonObject json) {
    WorkerOptions options = WorkerOptions.of(BatchProgram.SETTINGS, json);
    Layer model = Workload.of(options, new SplittableRandom(SEED)).model();
    Optimizer optimizer = new Sgd(0.05f).withMomentum(0.9).over(model.parameters());
    List<Workload> trainers =
        Stream.of(1, 2)
            .map(rank -> Workload.of(options, new SplittableRandom(SEED + rank)))
            .toList();
    List<Float> losses = new ArrayList<>();
    for (int round = 0; round < 30; round++) {
      Map<Tensor, Tensor> sums = new HashMap<>();
      for (Workload trainer : trainers) {
        trainer.model().load(model.state());
        trainer.model().zeroGrad();
        Tensor loss = trainer.nextLoss();
        loss.backward();
        losses.add(loss.item());
        for (int i = 0; i < model.parameters().size(); i++) {
          Tensor gradient = Objects.requireNonNull(trainer.model().parameters().get(i).grad());
          sums.merge(model.parameters().get(i), gradient, Tensor::add);
        }
      }
      optimizer.step(parameter -> Objects.requireNonNull(sums.get(parameter)).scale(0.5));
    }
    return losses;
  }

  private static List<Float> losses(TestWorld world) {
    return world.said().stream()
        .filter(line -> line.startsWith("loss "))
        .map(line -> Float.valueOf(line.substring(5)))
        .toList();
  }

  @Test
  void theRoundGoesOnWithoutATrainerThatDies() throws InterruptedException {
    try (TestWorld world = start(4, 1_000_000)) {
      world.await("got 3/3 updates");
      world.kill(2);
      world.await("parameter-server: trainer2 is lost; the round continues with 2 trainers");
      world.await("got 2/2 updates");
    }
  }

  @Test
  void aTrainerThatIsStartedAgainTakesPart() throws InterruptedException {
    try (TestWorld world = start(3, 1_000_000)) {
      world.await("got 2/2 updates");
      world.kill(2);
      world.await("got 1/1 updates");
      world.restart(2);
      world.await("parameter-server: trainer2 is back; the round continues with 2 trainers");
    }
  }

  @Test
  void withoutAnyTrainerTheServerFails() throws InterruptedException {
    try (TestWorld world = start(2, 1_000_000)) {
      world.await("updated model");
      world.kill(1);
      assertThatThrownBy(() -> world.finished(0).await()).hasMessageContaining("trainer1");
    }
  }

  private static TestWorld start(int worldSize, int rounds) {
    return TestWorld.start(BatchProgram.PROGRAM, options(worldSize, rounds));
  }

  private static JsonObject options(int worldSize, int rounds) {
    return new JsonObject()
        .put("worldSize", worldSize)
        .put("rounds", rounds)
        .put("lr", 0.05)
        .put("seed", SEED);
  }

  /// A server dies, then everybody. Other servers and another number of trainers continue.
  @Test
  void aRunOfServersEndsWithTheSameBitsWhoeverDies(@TempDir Path folder) throws Exception {
    Path whole = folder.resolve("whole");
    try (TestWorld world = startServers(1, 2, new JsonObject().put("save", whole.toString()))) {
      finish(world, 0, 1, 2);
    }
    Path checkpoints = folder.resolve("run");
    Path rest = folder.resolve("rest");
    JsonObject given =
        new JsonObject()
            .put("checkpoint", checkpoints.toString())
            .put("checkpointEvery", "0.02s")
            .put("save", rest.toString());
    JsonObject withWitness = given.copy().put("witness", true);
    try (TestWorld world = startServers(2, 2, withWitness, SERVED_ROUNDS)) { // half of the steps
      world.await("loss ");
      world.kill(0);
      while (new Checkpoints(checkpoints, 1).newest().isEmpty()) {
        Thread.onSpinWait();
      }
    }
    try (TestWorld world = startServers(3, 1, given.put("resume", ""))) {
      finish(world, 0, 1, 2, 3);
      assertThat(losses(world)).hasSizeBetween(1, 2 * SERVED_ROUNDS - 1);
      assertThat(world.said()).last().asString().startsWith("test loss ");
    }
    assertThat(bias(rest)).as("seed %d", SEED).containsExactly(bias(whole));
  }

  /// Without shards, each trainer has its own batches.
  @Test
  void trainersOfAStoreLearnToSayZeroOnADevice() throws Exception {
    JsonObject given = new JsonObject().put("consistency", "ssp:2").put("device", "cpu");
    try (CompiledLog log = new CompiledLog();
        TestWorld world = startServers(1, 2, given)) {
      finish(world, 0, 1, 2);
      log.requireCompiled("[float32 [20, 100], float32 [20, 30]]");
      List<Float> losses = losses(world);
      assertThat(losses).hasSize(2 * SERVED_ROUNDS);
      String last = world.said().getLast();
      assertThat(last).startsWith("test loss ");
      assertThat(Double.parseDouble(last.substring("test loss ".length())))
          .as("seed %d, from %s", SEED, mean(losses.subList(0, 20)))
          .isLessThan(0.8 * mean(losses.subList(0, 20)));
    }
  }

  @Test
  void moreRoundsThanTheMemoryOfTrainersHoldsAreRefused() {
    JsonObject given = new JsonObject().put("rounds", 5_000_001);
    assertThatCode(() -> check(given)).doesNotThrowAnyException();
    assertThatCode(() -> check(given.copy().put("servers", 1).put("rounds", 5_000_000)))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> check(given.put("servers", 1)))
        .isInstanceOf(UsageException.class)
        .hasMessage("--rounds is 5000001 with --servers and 2 trainers; expected at most 5000000");
  }

  private static void check(JsonObject given) {
    BatchProgram.PROGRAM.check().accept(WorkerOptions.of(BatchProgram.SETTINGS, given));
  }

  private static TestWorld startServers(int servers, int trainers, JsonObject more) {
    return startServers(servers, trainers, more, Long.MAX_VALUE);
  }

  private static TestWorld startServers(
      int servers, int trainers, JsonObject more, long mostSteps) {
    boolean hasWitness = more.getBoolean("witness", false);
    return TestWorld.start(
        BatchProgram.PROGRAM,
        options(servers + (hasWitness ? 1 : 0) + trainers, SERVED_ROUNDS)
            .put("servers", servers)
            .mergeIn(more),
        mostSteps);
  }

  private static void finish(TestWorld world, int... ranks) {
    for (int rank : ranks) {
      world.finished(rank).await();
    }
  }

  /// The lines that a worker has said, without times and its name.
  private static List<String> said(TestWorld world, String name) {
    return world.said().stream()
        .filter(line -> line.contains(" " + name + " "))
        .map(line -> line.substring(line.indexOf(name) + name.length() + 1))
        .map(line -> line.replaceFirst(" after .* s", ""))
        .toList();
  }

  private static double mean(List<Float> numbers) {
    return numbers.stream().mapToDouble(Float::doubleValue).average().orElseThrow();
  }
}
