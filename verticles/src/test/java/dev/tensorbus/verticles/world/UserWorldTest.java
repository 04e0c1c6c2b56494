// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.launch.Jvm;
import dev.tensorbus.rpc.FreePort;
import dev.tensorbus.verticles.Setting;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class UserWorldTest {
  private static List<WorkerCommand> commands(
      Map<String, String> variables, OptionalInt debugPort) {
    return new UserWorld(4, 2, 2, "127.0.0.1", 29_500, variables, debugPort)
        .commands(Jvm.current(), List.of("my.Main"));
  }

  @Test
  void theWorkersOfAMachineHaveConsecutivePortsForDebuggers() {
    int port = FreePort.range(4).first();
    List<WorkerCommand> workers = commands(Map.of(), OptionalInt.of(port));
    for (int local = 0; local < 2; local++) {
      assertThat(workers.get(local).words())
          .contains(
              "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:"
                  + (port + local));
    }
  }

  @Test
  void workersThatMayBeDebuggedWaitForADayUnlessTimeoutsAreGiven() {
    String calls = Setting.TIMEOUT.variable();
    String heartbeats = Setting.HEARTBEAT_TIMEOUT.variable();
    int port = FreePort.range(4).first();
    assertThat(commands(Map.of(heartbeats, "7"), OptionalInt.of(port)))
        .allSatisfy(
            worker ->
                assertThat(worker.environment())
                    .containsEntry(calls, "86400")
                    .containsEntry(heartbeats, "7"));
    assertThat(commands(Map.of(), OptionalInt.empty()))
        .allSatisfy(
            worker -> assertThat(worker.environment()).doesNotContainKeys(calls, heartbeats));
  }
}
