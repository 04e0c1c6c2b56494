// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.mnist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.MnistNet;
import dev.tensorbus.optim.checkpoint.Checkpoint;
import dev.tensorbus.verticles.CompiledLog;
import dev.tensorbus.verticles.TestWorld;
import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.WorkerOptions;
import dev.tensorbus.verticles.progress.EventFile;
import dev.tensorbus.verticles.progress.EventFile.Scalar;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class MnistProgramTest {
  @TempDir private Path folder = Path.of("");

  private static void check(JsonObject given) {
    MnistProgram.PROGRAM.check().accept(WorkerOptions.of(MnistProgram.PROGRAM.settings(), given));
  }

  @ParameterizedTest
  @CsvSource({"grpcTrainers, 1, --grpc-trainers", "grpcSkipNonfinite, true, --grpc-skip-nonfinite"})
  void trainersThatComeThroughAGatewayNeedServers(String key, String value, String option) {
    JsonObject given = new JsonObject("{\"%s\": %s}".formatted(key, value));
    assertThatThrownBy(() -> check(given))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            ("%1$s is given without --servers; set --servers to the number of parameter servers, or"
                    + " leave %1$s out")
                .formatted(option));
    assertThatCode(() -> check(given.put("servers", 1))).doesNotThrowAnyException();
  }

  private static TestWorld start(int worldSize) {
    return TestWorld.start(
        MnistProgram.PROGRAM,
        new JsonObject().put("worldSize", worldSize).put("epochs", 1).put("batchSize", 250));
  }

  @Test
  void theServerFailsWhenItsOnlyTrainerDies() throws InterruptedException {
    try (TestWorld world = start(2)) {
      world.await("loss ");
      world.kill(1);
      assertThatThrownBy(() -> world.finished(0).await())
          .hasMessage(
              "no trainer is left: trainer1 was lost before the model was evaluated; restart the"
                  + " whole world");
    }
  }

  /// The folder has no test set before the first of two trainers has missed it: the other one has
  /// learned all it will without.
  @Test
  void onlyOneTrainerReadsTheTestSetAndAnotherTakesItsPlace() throws Exception {
    BlankDigits.write(folder, "train");
    JsonObject given = new JsonObject().put("data", folder.toString()).put("worldSize", 3);
    try (TestWorld world = TestWorld.start(MnistProgram.PROGRAM, given.put("batchSize", 5))) {
      assertThatThrownBy(() -> world.finished(1).await())
          .hasMessageStartingWith("no t10k-images-idx3-ubyte[.gz] in " + folder);
      assertThat(world.finished(2).isComplete()).isFalse();
      BlankDigits.write(folder, "t10k");
      world.kill(1);
      world.finished(0).await();
      world.finished(2).await();
      assertThat(world.said()).anyMatch(line -> line.startsWith("test accuracy "));
    }
  }

  @Test
  void aRunBeginsWithTheWeightsThatAnotherHasKept() throws Exception {
    BlankDigits.write(folder, "train");
    BlankDigits.write(folder, "t10k");
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
    float[] fresh = new MnistNet(new SplittableRandom(1)).parameters().getLast().values();
    assertThat(bias(first)).isNotEqualTo(fresh);
  }

  @Test
  void aRunWritesItsCurves() throws Exception {
    BlankDigits.write(folder, "train");
    BlankDigits.write(folder, "t10k");
    Path curves = folder.resolve("curves").resolve("first");
    run(new JsonObject().put("tensorboard", curves.toString()).put("epochs", 5).put("lr", 0.1));
    List<Scalar> scalars = EventFile.readOnlyOne(curves);
    List<Scalar> losses = scalars.stream().filter(each -> each.tag().equals("loss")).toList();
    assertThat(losses)
        .extracting(Scalar::step)
        .isEqualTo(LongStream.rangeClosed(1, 20).boxed().toList());
    assertThat(losses.getLast().value()).isLessThan(losses.getFirst().value() / 2);
    assertThat(scalars.getLast())
        .returns("accuracy", Scalar::tag)
        .returns(20L, Scalar::step)
        .returns(1f, Scalar::value);
    assertThat(scalars).extracting(Scalar::tag).contains("samples_per_second");
  }

  /// The steps of the server, and those of a trainer with parameter servers. Sums in another order
  /// change the last of 24 bits of each value, and 20 steps add up such changes.
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aDeviceComputesTheSameLosses(int servers) throws Exception {
    BlankDigits.writeNoise(folder, "train", new Random(1));
    BlankDigits.writeNoise(folder, "t10k", new Random(2));
    JsonObject given = new JsonObject().put("epochs", 5);
    if (servers > 0) {
      given.put("servers", servers);
    }
    List<Double> expected = losses(given);
    List<Double> actual;
    try (CompiledLog log = new CompiledLog()) {
      actual = losses(given.put("device", "cpu"));
      log.requireCompiled("[float32 [5, 1, 28, 28], int64 [5]]");
    }
    assertThat(actual).hasSize(20);
    for (int i = 0; i < actual.size(); i++) {
      assertThat(actual.get(i)).as("loss %d", i).isCloseTo(expected.get(i), within(1e-4));
    }
  }

  /// Returns the losses of a run with one trainer.
  private List<Double> losses(JsonObject given) {
    int workers = given.getInteger("servers", 1) + 1;
    given.put("data", folder.toString()).put("worldSize", workers).put("batchSize", 5);
    try (TestWorld world = TestWorld.start(MnistProgram.PROGRAM, given)) {
      finish(world, workers);
      return world.said().stream()
          .filter(line -> line.startsWith("loss "))
          .map(line -> Double.valueOf(line.substring(5)))
          .toList();
    }
  }

  @Test
  void trainersOfAStoreGoOnWithoutAServerThatDies() throws Exception {
    BlankDigits.write(folder, "train");
    BlankDigits.write(folder, "t10k");
    Path saved = folder.resolve("saved");
    JsonObject given =
        new JsonObject()
            .put("data", folder.toString())
            .put("servers", 2)
            .put("witness", true)
            .put("replicas", 1)
            .put("batchSize", 5)
            .put("epochs", 50)
            .put("lr", 0.1)
            .put("save", saved.toString());
    try (TestWorld world = TestWorld.start(MnistProgram.PROGRAM, given)) {
      world.await("loss ");
      world.kill(0);
      for (int rank = 1; rank < 5; rank++) {
        world.finished(rank).await();
      }
      assertThat(world.said())
          .startsWith("learning from 20 digits of " + folder)
          .containsOnlyOnce("test accuracy 1.0000");
    }
    float[] fresh = new MnistNet(new SplittableRandom(1)).parameters().getLast().values();
    assertThat(bias(saved)).isNotEqualTo(fresh);
  }

  @Test
  void aRunWithCheckpointsIsResumedByOtherServersAndTrainersWithTheSameBits() throws Exception {
    BlankDigits.write(folder, "train");
    BlankDigits.write(folder, "t10k");
    Path whole = folder.resolve("whole");
    try (TestWorld world = startServers(1, 3, new JsonObject().put("save", whole.toString()))) {
      finish(world, 3);
    }
    Path rest = folder.resolve("rest");
    JsonObject checkpoints =
        new JsonObject()
            .put("checkpoint", folder.resolve("run").toString())
            .put("checkpointEvery", "0.2s")
            .put("save", rest.toString());
    int most = 44; // within the third epoch, the first one has a checkpoint
    try (TestWorld world = startServers(2, 4, checkpoints, most)) {
      while (losses(world) < most) {
        Thread.onSpinWait();
      }
    }
    try (TestWorld world = startServers(3, 4, checkpoints.put("resume", ""))) {
      finish(world, 4);
      assertThat(world.said()).containsOnlyOnce("test accuracy 1.0000");
    }
    assertThat(parameters(rest)).usingRecursiveComparison().isEqualTo(parameters(whole));
  }

  private static List<float[]> parameters(Path saved) {
    MnistNet net = new MnistNet(new SplittableRandom(2));
    new Checkpoint().withModel("net", net).restore(saved);
    return net.parameters().stream().map(Tensor::values).toList();
  }

  private TestWorld startServers(int servers, int worldSize, JsonObject given) {
    return startServers(servers, worldSize, given, Long.MAX_VALUE);
  }

  private TestWorld startServers(int servers, int worldSize, JsonObject given, long mostSteps) {
    return TestWorld.start(
        MnistProgram.PROGRAM,
        given
            .copy()
            .put("data", folder.toString())
            .put("servers", servers)
            .put("worldSize", worldSize)
            .put("batchSize", 1)
            .put("epochs", 3),
        mostSteps);
  }

  private static long losses(TestWorld world) {
    return world.said().stream().filter(line -> line.startsWith("loss ")).count();
  }

  private static void finish(TestWorld world, int worldSize) {
    for (int rank = 0; rank < worldSize; rank++) {
      world.finished(rank).await();
    }
  }

  private void run(JsonObject given) {
    given.put("data", folder.toString()).put("worldSize", 2).put("batchSize", 5);
    try (TestWorld world = TestWorld.start(MnistProgram.PROGRAM, given)) {
      world.finished(0).await();
    }
  }

  private static float[] bias(Path saved) {
    return parameters(saved).getLast();
  }

  @Tag("long")
  @Test
  void aTrainerThatIsStartedAgainGoesOnWithTheTraining() throws InterruptedException {
    try (TestWorld world = start(3)) {
      world.await("loss ");
      world.kill(1);
      world.restart(1);
      for (int rank = 0; rank < 3; rank++) {
        world.finished(rank).await();
      }
      assertThat(world.said()).anyMatch(line -> line.startsWith("test accuracy "));
    }
  }
}
