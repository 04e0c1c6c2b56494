// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.mnist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.rpc.FreePort;
import dev.tensorbus.verticles.Commands;
import dev.tensorbus.verticles.Commands.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `tensorbus train mnist` as users run it: the jars, in processes of their own.
@Tag("long")
class TrainMnistIT {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final Pattern ACCURACY = Pattern.compile("test accuracy ([0-9.]+)");

  @TempDir private Path folder;

  @Test
  void aWorldLearnsAndGoesOnWithoutATrainerThatIsKilled() throws Exception {
    try (Running world = train("--world-size", "3")) {
      world.await("step 100/");
      world.worker(2).destroyForcibly();
      assertThat(world.end()).as(world.output()).isZero();
      assertThat(world.output())
          .contains("learning from 12000 digits generated here")
          .contains(
              "warning: trainer2 is lost (exit code 137, killed by signal 9); parameter-server,"
                  + " trainer1 continue;")
          .containsPattern(
              "warning: finished without trainer2 \\(\\d+ of its 375 steps left out\\)")
          .doesNotContain("WARNING: ");
      assertThat(accuracy(world.output())).isGreaterThanOrEqualTo(0.95);
    }
  }

  @Test
  void onnxRuntimeComputesForwardPassesThatTrainAsWell() throws Exception {
    try (Running world = train("--world-size", "2", "--forward", "onnx")) {
      assertThat(world.end()).as(world.output()).isZero();
      assertThat(world.output()).doesNotContain("WARNING: ");
      assertThat(accuracy(world.output())).isGreaterThanOrEqualTo(0.95);
    }
  }

  @Test
  void aDeviceComputesTheStepsOfTwoTrainers() throws Exception {
    BlankDigits.write(folder, "train");
    BlankDigits.write(folder, "t10k");
    String[] few = {"--data", folder.toString(), "--batch-size", "5", "--epochs", "5"};
    try (Running world =
        train(concat(few, "--lr", "0.1", "--world-size", "3", "--device", "cpu"))) {
      assertThat(world.end()).as(world.output()).isZero();
      assertThat(world.output())
          .contains("INFO compiled a step for inputs [float32 [5, 1, 28, 28], int64 [5]]")
          .doesNotContain("WARNING: ", "run in Java");
      assertThat(accuracy(world.output())).isEqualTo(1);
    }
  }

  @Test
  void trainersEndWithAnErrorWhenTheServerIsKilled() throws Exception {
    try (Running world = train("--world-size", "3")) {
      world.await("step 100/");
      List<ProcessHandle> processes = world.descendants();
      world.worker(0).destroyForcibly();
      assertThat(world.end(SOON)).isEqualTo(1);
      assertThat(world.output())
          .contains("error: parameter-server is lost (exit code 137, killed by signal 9)")
          .containsPattern("\\[trainer1] error: .*parameter-server")
          .containsPattern("\\[trainer2] error: .*parameter-server");
      assertThat(processes).noneMatch(ProcessHandle::isAlive);
    }
  }

  @Test
  void theServerEndsWithAnErrorWhenItsOnlyTrainerIsKilled() throws Exception {
    String port = Integer.toString(FreePort.find());
    String[] world = {"--world-size", "2", "--master-port", port, "--rank"};
    try (Running server = train(withRank(world, 0));
        Running trainer = train(withRank(world, 1))) {
      trainer.await("step 100/");
      trainer.descendants().forEach(ProcessHandle::destroyForcibly);
      assertThat(server.end(SOON)).isEqualTo(1);
      assertThat(server.output())
          .contains("error: no trainer is left: trainer1 was lost before the model was evaluated");
    }
  }

  private static String[] withRank(String[] options, int rank) {
    return concat(options, Integer.toString(rank));
  }

  private static String[] concat(String[] options, String... more) {
    String[] all = Arrays.copyOf(options, options.length + more.length);
    System.arraycopy(more, 0, all, options.length, more.length);
    return all;
  }

  @Test
  void aWorldWithServersGoesOnWithoutAnyOfThem() throws Exception {
    try (Running world = train("--servers", "3", "--replicas", "1")) {
      world.await("step 100/");
      world.worker(0).destroyForcibly();
      assertThat(world.end()).as(world.output()).isZero();
      assertThat(world.output())
          .contains(
              "warning: server1 is lost (exit code 137, killed by signal 9); server2, server3,"
                  + " trainer1, trainer2 continue")
          .containsPattern(
              "INFO server1 died; server[23] has taken over \\d+ slots in [0-9.]+ s; nothing is lost")
          .contains("warning: finished without server1");
      assertThat(accuracy(world.output())).isGreaterThanOrEqualTo(0.95);
    }
  }

  @Test
  void everyProcessIsGoneSoonAfterASignal() throws Exception {
    try (Running world = train("--world-size", "3")) {
      world.await("step 100/");
      List<ProcessHandle> processes = world.descendants();
      world.terminate();
      world.end(SOON);
      assertThat(processes).isNotEmpty().noneMatch(ProcessHandle::isAlive);
      assertThat(world.output()).doesNotContain("error: ");
    }
  }

  @Test
  void threeTerminalsDoTheSameJob() throws Exception {
    String port = Integer.toString(FreePort.find());
    try (Running server = train("--rank", "0", "--master-port", port);
        Running first = train("--rank", "1", "--master-port", port);
        Running second = train("--rank", "2", "--master-port", port)) {
      assertThat(first.end()).as(first.output()).isZero();
      assertThat(second.end()).as(second.output()).isZero();
      assertThat(server.end()).as(server.output()).isZero();
      assertThat(accuracy(first.output())).isGreaterThanOrEqualTo(0.95);
    }
  }

  @Test
  void theRolesJarsDoTheSameJobAndTrainersFindTheirRanks() throws Exception {
    int port = FreePort.find();
    String server = configuration("parameter-server.json", port);
    String trainer = configuration("trainer.json", port);
    try (Running serving = Commands.jar("parameter-server.jar", "-conf", server);
        Running one = Commands.jar("trainer.jar", "-conf", trainer);
        Running other = Commands.jar("trainer.jar", "-conf", trainer)) {
      assertThat(one.end()).as(one.output()).isZero();
      assertThat(other.end()).as(other.output()).isZero();
      assertThat(serving.end()).as(serving.output()).isZero();
      assertThat(accuracy(one.output() + other.output())).isGreaterThanOrEqualTo(0.95);
    }
  }

  @Test
  void theRolesJarsRunServersAWitnessAndTrainers() throws Exception {
    int port = FreePort.find();
    String server = configuration("store/parameter-server.json", port);
    String witness = configuration("store/witness.json", port);
    String trainer = configuration("store/trainer.json", port);
    String second = folder.resolve("second.json").toString();
    Files.writeString(
        Path.of(second), Files.readString(Path.of(witness)).replace("\"rank\": 2", "\"rank\": 1"));
    try (Running first = Commands.jar("parameter-server.jar", "-conf", server);
        Running other = Commands.jar("parameter-server.jar", "-conf", second);
        Running voter = Commands.jar("parameter-server.jar", "-conf", witness);
        Running one = Commands.jar("trainer.jar", "-conf", trainer);
        Running two = Commands.jar("trainer.jar", "-conf", trainer)) {
      for (Running worker : List.of(one, two, first, other, voter)) {
        assertThat(worker.end()).as(worker.output()).isZero();
      }
      assertThat(first.output()).contains("world of 5 is complete: server1, server2, witness, tr");
      assertThat(accuracy(one.output() + two.output())).isGreaterThanOrEqualTo(0.95);
    }
  }

  private static Running train(String... options) throws IOException {
    return Commands.jar("tensorbus.jar", concat(new String[] {"train", "mnist"}, options));
  }

  /// The configuration that lies in config/, with a port that is free.
  private String configuration(String name, int port) throws IOException {
    String text = Files.readString(Path.of("..", "config", name));
    Path copy = folder.resolve(Path.of(name).getFileName());
    Files.writeString(copy, text.replace("29500", Integer.toString(port)));
    return copy.toString();
  }

  private static double accuracy(String output) {
    Matcher matcher = ACCURACY.matcher(output);
    assertThat(matcher.find()).as(output).isTrue();
    return Double.parseDouble(matcher.group(1));
  }
}
