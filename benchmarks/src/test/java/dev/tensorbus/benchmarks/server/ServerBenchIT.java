// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.benchmarks.server.KillPlan.Kill;
import dev.tensorbus.benchmarks.server.KillPlan.Role;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Short runs of the benchmarks of parameter servers, which check more than they measure.
@Tag("slow")
class ServerBenchIT {
  @Test
  void sumsAreExactThoughEachRoleIsKilled() throws IOException {
    List<Kill> kills =
        Arrays.stream(Role.values())
            .map(role -> new Kill(Duration.ofSeconds(role.ordinal()), role, role.ordinal()))
            .toList();
    assertThat(SurviveBench.run(new KillPlan(kills), 0)).isTrue();
  }

  @Test
  void emulatedTrainersTrain() {
    List<EmulatedRun> runs = StragglerBench.runs(Duration.ofSeconds(1), 1).subList(0, 2);
    try (EmulatedWorld world = StragglerBench.world(16)) {
      for (EmulatedRun run : runs) {
        EmulatedRun.Result result = world.run(run);
        assertThat(result.idle()).isBetween(0.0, 1.0);
        assertThat(result.throughput()).isPositive();
      }
    }
  }
}
