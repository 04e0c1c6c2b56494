// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.mnist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.verticles.TestWorld;
import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.WorkerOptions;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class MnistProgramTest {
  private static void check(JsonObject given) {
    MnistProgram.PROGRAM.check().accept(WorkerOptions.of(MnistProgram.PROGRAM.settings(), given));
  }

  @Test
  void aServerWithoutATrainerNeedsOnesThatComeThroughItsGateway() {
    JsonObject alone = new JsonObject().put("worldSize", 1);
    for (JsonObject given :
        new JsonObject[] {
          alone, alone.copy().put("grpcPort", 50_051), alone.copy().put("grpcTrainers", 1)
        }) {
      assertThatThrownBy(() -> check(given))
          .isInstanceOf(UsageException.class)
          .hasMessage(
              "a world of 1 is a parameter server without a trainer; give --grpc-port and"
                  + " --grpc-trainers for those that come from outside, or a world size of 2 or"
                  + " more");
    }
    assertThatCode(() -> check(alone.copy().put("grpcPort", 50_051).put("grpcTrainers", 1)))
        .doesNotThrowAnyException();
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
              "no trainer is left: trainer1 was lost before the training was over; start the world"
                  + " anew");
    }
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
