// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.benchmarks.server.KillPlan.Kill;
import java.time.Duration;
import java.util.Comparator;
import org.junit.jupiter.api.Test;

class KillPlanTest {
  private static final Duration PERIOD = Duration.ofSeconds(6);

  private static KillPlan plan(long seed) {
    return KillPlan.every(PERIOD, 0.5, Duration.ofMinutes(10), seed);
  }

  @Test
  void aSeedGivesTheSamePlanAgain() {
    assertThat(plan(7)).isEqualTo(plan(7)).isNotEqualTo(plan(8));
  }

  @Test
  void eachRoleIsKilledInOrderOfTime() {
    assertThat(plan(7).kills())
        .hasSize(99)
        .isSortedAccordingTo(Comparator.comparing(Kill::at))
        .extracting(Kill::role)
        .contains(KillPlan.Role.values());
  }
}
