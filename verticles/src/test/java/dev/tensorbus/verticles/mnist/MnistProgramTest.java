// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.mnist;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.WorkerOptions;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;

class MnistProgramTest {
  private static void check(JsonObject given) {
    MnistProgram.PROGRAM.check().accept(WorkerOptions.of(MnistProgram.PROGRAM.settings(), given));
  }

  @Test
  void aServerWithoutATrainerNeedsOnesThatComeThroughItsDoor() {
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
}
