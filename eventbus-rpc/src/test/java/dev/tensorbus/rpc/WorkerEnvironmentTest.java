// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WorkerEnvironmentTest {
  private final Map<String, String> variables =
      new HashMap<>(
          Map.of(
              "RANK", "1", "WORLD_SIZE", "3", "MASTER_ADDR", "10.0.0.1", "MASTER_PORT", "29500"));

  @Test
  void torchrunsVariablesSayWhichWorkerThisIs() {
    assertThat(WorkerEnvironment.of(variables))
        .isEqualTo(
            new WorkerEnvironment(
                1, 3, "10.0.0.1", 29_500, PortRange.ANY, null, null, null, null, false));
  }

  @Test
  void aMissingVariableIsNamedTogetherWithTheCommandThatSetsIt() {
    variables.remove("MASTER_ADDR");
    assertThatExceptionOfType(RendezvousException.class)
        .isThrownBy(() -> WorkerEnvironment.of(variables))
        .withMessage(
            "the variable MASTER_ADDR is not set; start this program with tensorbus run --workers"
                + " N, or set RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT");
  }

  @Test
  void portsAndAnAdvertisedAddressMayBeGiven() {
    variables.put("TENSORBUS_PORTS", "29500-29520");
    variables.put("TENSORBUS_ADVERTISED_ADDR", "worker.example");
    WorkerEnvironment environment = WorkerEnvironment.of(variables);
    assertThat(environment.ports()).isEqualTo(new PortRange(29_500, 29_520));
    assertThat(environment.advertisedAddress()).isEqualTo("worker.example");
    variables.put("TENSORBUS_PORTS", "29500");
    assertThatExceptionOfType(RendezvousException.class)
        .isThrownBy(() -> WorkerEnvironment.of(variables))
        .withMessage(
            "the variable TENSORBUS_PORTS: ports \"29500\" are not a range; expected the first and"
                + " the last, such as 29500-29520");
  }

  @Test
  void theNetworkIsTrustedOnlyIfTheVariableSaysSo() {
    variables.put("TENSORBUS_TRUSTED_NETWORK", "true");
    assertThat(WorkerEnvironment.of(variables).trustedNetwork()).isTrue();
    variables.put("TENSORBUS_TRUSTED_NETWORK", "1");
    assertThatExceptionOfType(RendezvousException.class)
        .isThrownBy(() -> WorkerEnvironment.of(variables))
        .withMessage("the variable TENSORBUS_TRUSTED_NETWORK is \"1\"; expected true or false");
  }

  @Test
  void timeLimitsMayBeGivenInSeconds() {
    RpcOptions standard = WorkerEnvironment.of(variables).options();
    assertThat(standard.timeout()).isEqualTo(RpcOptions.worldSize(1).timeout());
    assertThat(standard.heartbeatTimeout()).isEqualTo(RpcOptions.worldSize(1).heartbeatTimeout());
    variables.put("TENSORBUS_TIMEOUT", "300");
    variables.put("TENSORBUS_HEARTBEAT_TIMEOUT", "20");
    RpcOptions options = WorkerEnvironment.of(variables).options();
    assertThat(options.timeout()).isEqualTo(Duration.ofSeconds(300));
    assertThat(options.rendezvousTimeout()).isEqualTo(Duration.ofSeconds(300));
    assertThat(options.heartbeatTimeout()).isEqualTo(Duration.ofSeconds(20));
    variables.put("TENSORBUS_HEARTBEAT_TIMEOUT", "1");
    assertThatExceptionOfType(RendezvousException.class)
        .isThrownBy(() -> WorkerEnvironment.of(variables))
        .withMessage(
            "the variable TENSORBUS_HEARTBEAT_TIMEOUT is \"1\"; expected a whole number from 2 to"
                + " 86400");
  }

  @Test
  void aRankThatIsNoneIsRefused() {
    for (String rank : new String[] {"3", "-1", "first"}) {
      variables.put("RANK", rank);
      assertThatExceptionOfType(RendezvousException.class)
          .isThrownBy(() -> WorkerEnvironment.of(variables))
          .withMessage("the variable RANK is \"%s\"; expected a whole number from 0 to 2", rank);
    }
  }
}
