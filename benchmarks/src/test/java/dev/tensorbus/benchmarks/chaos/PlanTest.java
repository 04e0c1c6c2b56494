// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.benchmarks.chaos.Plan.Event;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PlanTest {
  private static final List<Plan> PLANS = LongStream.range(0, 500).mapToObj(Plan::of).toList();

  @Test
  void aSeedGivesTheSameWorldAgain() {
    assertThat(PLANS).allSatisfy(plan -> assertThat(Plan.of(plan.seed())).isEqualTo(plan));
  }

  @Test
  void theProgramsTakeTurns() {
    assertThat(PLANS.subList(0, 4)).extracting(Plan::workload).containsExactly(Workload.values());
  }

  @Test
  void everyKindOfDisturbanceHappens() {
    assertThat(PLANS.stream().flatMap(plan -> plan.events().stream()))
        .extracting(event -> (Object) event.what().getClass())
        .contains((Object[]) Disturbance.class.getPermittedSubclasses());
    assertThat(PLANS).anySatisfy(plan -> assertThat(plan.events()).isEmpty());
  }

  @Test
  void eventsAreInTheOrderOfTheirTimes() {
    assertThat(PLANS)
        .allSatisfy(
            plan -> assertThat(plan.events()).isSortedAccordingTo(Comparator.comparing(Event::at)));
  }

  @Test
  void whoIsFrozenThawsWithinEightSeconds() {
    for (Plan plan : PLANS) {
      for (Event event : plan.events()) {
        if (event.what() instanceof Disturbance.Freeze(int rank)) {
          assertThat(plan.events())
              .anySatisfy(
                  other -> {
                    assertThat(other.what()).isEqualTo(new Disturbance.Thaw(rank));
                    assertThat(other.at().minus(event.at()))
                        .isBetween(Duration.ofMillis(1), Duration.ofSeconds(8));
                  });
        }
      }
    }
  }

  @Test
  void onlyWorkersInNamespacesAreCut() {
    assertThat(PLANS.stream().filter(plan -> !plan.isApart()))
        .allSatisfy(
            plan ->
                assertThat(plan.events())
                    .extracting(Event::what)
                    .doesNotHaveAnyElementsOfTypes(Disturbance.Cut.class));
  }

  @Test
  void aPlanReadsAsALine() {
    List<Event> events =
        List.of(
            new Event(Duration.ofMillis(1500), new Disturbance.Kill(2)),
            new Event(Duration.ofSeconds(4), new Disturbance.Step(0, Duration.ofHours(-1))));
    assertThat(new Plan(7, Workload.BATCH, 3, true, true, events))
        .hasToString(
            "seed 7: batch of 3 in namespaces, early: 1.5 s kill 2, 4.0 s clock 0 by -3600 s");
    assertThat(Plan.quiet(4)).hasToString("seed 4: mnist of 2: undisturbed");
  }
}
