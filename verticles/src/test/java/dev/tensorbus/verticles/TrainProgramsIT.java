// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.rpc.FreePort;
import dev.tensorbus.verticles.Commands.Running;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The programs besides MNIST as users run them: the jars, in processes of their own. Where one is
/// killed, so much is left to do that none has ended by then, however busy the machine is.
@Tag("long")
class TrainProgramsIT {
  @TempDir private Path folder = Path.of("");

  @Test
  void aRoundOfTheBatchProgramGoesOnWithoutATrainerThatIsKilled() throws Exception {
    try (Running world = train("batch", "--world-size", "4", "--rounds", "6000")) {
      world.await("got 3/3 updates");
      world.worker(2).destroyForcibly();
      assertThat(world.end()).as(world.output()).isZero();
      assertThat(world.output())
          .contains("parameter-server: trainer2 is lost; the round continues with 2 trainers")
          .contains("parameter-server finishes training")
          .contains("warning: finished without trainer2");
    }
  }

  @Test
  void theBatchProgramTrainsAConvNetOnImages() throws Exception {
    try (Running world = train("batch", "--images", "--rounds", "2")) {
      assertThat(world.end()).as(world.output()).isZero();
      assertThat(world.output()).contains("parameter-server updated model").contains("step 4/4");
    }
  }

  @Test
  void theBatchProgramGoesOnWithoutAServerThatIsKilled() throws Exception {
    try (Running world = train("batch", "--servers", "2", "--witness", "--rounds", "400")) {
      world.await(" 100/");
      world.worker(0).destroyForcibly();
      assertThat(world.end()).as(world.output()).isZero();
      assertThat(world.output())
          .containsPattern("server2] .*server1 died; server2 has taken over \\d+ slots")
          .contains("test loss ")
          .contains("warning: finished without server1");
    }
  }

  @Test
  void theAgentGoesOnWithoutAnObserverThatIsKilled() throws Exception {
    String curve = folder.resolve("curve.png").toString();
    try (Running world =
        train("cartpole", "--world-size", "3", "--episodes", "200", "--curve", curve)) {
      world.await("Episode 10\t");
      world.worker(1).destroyForcibly();
      assertThat(world.end()).as(world.output()).isZero();
      assertThat(world.output())
          .contains("agent: observer1 is lost; continuing with 1 observer")
          .contains("Episode 40\t")
          .contains("reward curve in " + curve);
    }
    assertThat(Files.size(Path.of(curve))).isPositive();
  }

  @Test
  void agentAndObserverHaveJarsOfTheirOwn() throws Exception {
    int port = FreePort.find();
    String agent =
        configuration(
            "agent.json",
            port,
            new JsonObject()
                .put("episodes", 20)
                .put("curve", folder.resolve("curve.png").toString()));
    String observer = configuration("observer.json", port, new JsonObject().put("seed", 1));
    try (Running learning = Commands.jar("agent.jar", "-conf", agent);
        Running playing = Commands.jar("observer.jar", "-conf", observer)) {
      assertThat(learning.end()).as(learning.output()).isZero();
      assertThat(playing.end()).as(playing.output()).isZero();
      assertThat(learning.output()).contains("Episode 20\t").contains("Not solved.");
    }
  }

  /// A copy of a configuration of config/, with a free port and the settings given.
  private String configuration(String name, int port, JsonObject more) throws IOException {
    JsonObject settings = new JsonObject(Files.readString(Path.of("..", "config", name)));
    Path copy = folder.resolve(name);
    Files.writeString(copy, settings.put("masterPort", port).mergeIn(more).encodePrettily());
    return copy.toString();
  }

  @Test
  void theRnnLearnsInTwoTerminals() throws Exception {
    String port = Integer.toString(FreePort.find());
    try (Running server = train("rnn", "--rank", "0", "--master-port", port);
        Running trainer = train("rnn", "--rank", "1", "--master-port", port)) {
      assertThat(trainer.end()).as(trainer.output()).isZero();
      assertThat(server.end()).as(server.output()).isZero();
      assertThat(trainer.output())
          .contains("learning from ", "epoch 10/10  learning rate 0.05", "sample: ");
    }
  }

  @Test
  void theRnnGoesOnWithARunThatWasSaved() throws Exception {
    String saved = folder.resolve("saved").toString();
    try (Running world = train("rnn", "--epochs", "1", "--save", saved)) {
      assertThat(world.end()).as(world.output()).isZero();
    }
    try (Running world = train("rnn", "--epochs", "2", "--resume", saved)) {
      assertThat(world.end()).as(world.output()).isZero();
      assertThat(world.output())
          .contains("resuming " + saved + " after epoch 1", "epoch 2/2")
          .doesNotContain("epoch 1/2");
    }
  }

  private static Running train(String... arguments) throws IOException {
    List<String> all = Stream.concat(Stream.of("train"), Stream.of(arguments)).toList();
    return Commands.jar("tensorbus.jar", all.toArray(String[]::new));
  }
}
