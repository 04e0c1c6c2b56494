// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.verticles.WorkerOptions;
import dev.tensorbus.verticles.mnist.MnistProgram;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkerCommandTest {
  /// Returns the ports of the gateways of all workers, in order of rank.
  private static List<Integer> gateways(JsonObject given) {
    WorkerOptions options =
        WorkerOptions.of(MnistProgram.PROGRAM.settings(), given.put("program", "mnist"));
    return WorkerCommand.ofAll(MnistProgram.PROGRAM, options, Object.class).stream()
        .map(command -> new JsonObject(command.words().getLast()).getInteger("grpcPort", -1))
        .toList();
  }

  @Test
  void rankZeroHasTheGatewayOfALocalWorld() {
    assertThat(gateways(new JsonObject().put("grpcPort", 50_051))).containsExactly(50_051, -1, -1);
    assertThat(gateways(new JsonObject())).containsExactly(-1, -1, -1);
  }

  @Test
  void eachParameterServerOfAStoreHasAGatewayWithAPortOfItsOwn() {
    JsonObject servers = new JsonObject().put("servers", 2).put("witness", true);
    assertThat(gateways(servers.copy().put("grpcPort", 50_051)))
        .containsExactly(50_051, 50_052, -1, -1, -1);
    assertThat(gateways(servers.copy().put("grpcPort", 0))).containsExactly(0, 0, -1, -1, -1);
  }
}
