// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.idle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.rpc.IdleMode;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.WorkerOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class IdleBenchTest {
  @Test
  void eachStrategyIsMeasuredInWorldsOfOneFourAndSixteenWorkers() {
    Map<IdleMode, List<Integer>> sizes =
        IdleBench.WORLDS.stream()
            .map(world -> WorkerOptions.of(IdleBench.PROGRAM.settings(), world, Setting::option))
            .collect(
                Collectors.groupingBy(
                    WorkerOptions::idleStrategy,
                    Collectors.mapping(WorkerOptions::worldSize, Collectors.toList())));
    assertThat(sizes)
        .containsOnlyKeys(IdleMode.values())
        .allSatisfy((mode, measured) -> assertThat(measured).containsExactly(1, 4, 16));
  }

  @Test
  void aShareIsTheTimeThatAWorkerComputedOfTheTimeThatPassed() {
    assertThat(IdleBench.shares(List.of(100L, 7L), List.of(300L, 7L), Duration.ofSeconds(20)))
        .containsExactly(1, 0);
  }

  @Test
  void aWorkerTellsHowLongItHasComputed() {
    assertThat(IdleBench.myCpuMillis()).isPositive();
  }
}
