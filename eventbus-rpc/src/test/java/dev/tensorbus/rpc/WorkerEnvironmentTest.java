// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

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
        .isEqualTo(new WorkerEnvironment(1, 3, "10.0.0.1", 29_500));
  }

  @Test
  void aMissingVariableIsNamedTogetherWithTheCommandThatSetsIt() {
    variables.remove("MASTER_ADDR");
    assertThatExceptionOfType(RendezvousException.class)
        .isThrownBy(() -> WorkerEnvironment.of(variables))
        .withMessage(
            "the variable MASTER_ADDR is not set; start this program by tensorbus run --workers N,"
                + " or set RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT");
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
