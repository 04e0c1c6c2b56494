// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.benchmarks.chaos.Plan.Event;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlanTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final List<Plan> PLANS = plans(TIMEOUT);

  private static List<Plan> plans(Duration heartbeatTimeout) {
    return LongStream.range(0, 500).mapToObj(seed -> Plan.of(seed, heartbeatTimeout)).toList();
  }

  @Test
  void aSeedGivesTheSameWorldAgain() {
    assertThat(plans(TIMEOUT)).isEqualTo(PLANS);
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

  @ParameterizedTest
  @ValueSource(ints = {2, 5, 15})
  void whoIsFrozenThawsWithinATimeThatTheTimeoutDetermines(int seconds) {
    for (Plan plan : plans(Duration.ofSeconds(seconds))) {
      for (Event event : plan.events()) {
        if (event.what() instanceof Disturbance.Freeze(int rank)) {
          assertThat(plan.events())
              .anySatisfy(
                  other -> {
                    assertThat(other.what()).isEqualTo(new Disturbance.Thaw(rank));
                    assertThat(other.at().minus(event.at()))
                        .isBetween(Duration.ofMillis(1), Duration.ofMillis(seconds * 1600L));
                  });
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 5, 15})
  void wholeWorldsPauseForLessThanTheTimeout(int seconds) {
    List<Plan> pauses =
        plans(Duration.ofSeconds(seconds)).stream().filter(PlanTest::isOnePause).toList();
    assertThat(pauses)
        .hasSizeGreaterThan(5)
        .allSatisfy(
            plan ->
                assertThat(plan.events().getLast().at().minus(plan.events().getFirst().at()))
                    .isBetween(
                        Duration.ofMillis(seconds * 700L), Duration.ofMillis(seconds * 920L)));
  }

  /// Whether nothing happens but that all freeze and all thaw.
  private static boolean isOnePause(Plan plan) {
    return plan.events().stream().map(Event::what).distinct().count() == 2L * plan.worldSize()
        && plan.events().stream().map(Event::at).distinct().count() == 2
        && plan.events().stream().noneMatch(event -> event.what() instanceof Disturbance.Kill);
  }

  @Test
  void whoWasPausedWithTheOthersOrAloneMayBeKilledThen() {
    assertThat(PLANS).anySatisfy(plan -> assertPausedAndKilled(plan, plan.worldSize()));
    assertThat(PLANS)
        .anySatisfy(
            plan -> {
              assertPausedAndKilled(plan, 1);
              assertThat(plan.events().getFirst().what()).isEqualTo(new Disturbance.Freeze(0));
              assertThat(plan.events().getLast().what()).isNotEqualTo(new Disturbance.Kill(0));
            });
  }

  private static void assertPausedAndKilled(Plan plan, int paused) {
    List<Event> events = plan.events();
    assertThat(events).hasSize(2 * paused + 1);
    assertThat(events.subList(0, 2 * paused))
        .extracting(Event::what)
        .hasOnlyElementsOfTypes(Disturbance.Freeze.class, Disturbance.Thaw.class);
    assertThat(events.getLast().what()).isInstanceOf(Disturbance.Kill.class);
    assertThat(events.get(2 * paused - 1).at().minus(events.getFirst().at()))
        .isLessThan(plan.heartbeatTimeout());
  }

  @Test
  void someHostsAreBusy() {
    assertThat(PLANS)
        .extracting(Plan::burners)
        .contains(0, 2, 3, 4, 5, 6)
        .filteredOn(burners -> burners > 0)
        .hasSizeBetween(PLANS.size() / 6, PLANS.size() / 3);
    assertThat(PLANS)
        .anySatisfy(
            plan -> {
              assertThat(plan.burners()).isPositive();
              assertThat(plan.events()).isEmpty();
            });
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
    assertThat(new Plan(7, Workload.BATCH, 3, true, true, 4, TIMEOUT, events))
        .hasToString(
            "seed 7: batch of 3 in namespaces, early, with 4 burners per core: 1.5 s kill 2,"
                + " 4.0 s clock 0 by -3600 s");
    assertThat(Plan.quiet(4, TIMEOUT)).hasToString("seed 4: mnist of 2: undisturbed");
  }
}
