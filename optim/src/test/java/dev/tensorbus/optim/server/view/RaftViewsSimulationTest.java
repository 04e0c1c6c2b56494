// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.rpc.testing.Fault;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Runs voters in virtual time, under faults. `-Dseed=7 -Dseeds=1` repeats one seed.
@Tag("slow")
class RaftViewsSimulationTest {
  private static final long FIRST_SEED = Long.getLong("seed", 1);
  private static final int SEEDS = Integer.getInteger("seeds", 1000);

  private static final List<String> TWO = List.of("a", "b");
  private static final List<String> THREE = List.of("a", "b", "c");
  private static final List<String> FIVE = List.of("a", "b", "c", "d", "e");
  private static final Duration LIMIT = Duration.ofSeconds(5);

  private static SimulatedVoters group(long seed, List<String> names) {
    SimulatedVoters group = new SimulatedVoters(seed, names);
    names.forEach(group::start);
    return group;
  }

  private static void await(SimulatedVoters group, String what, BooleanSupplier condition) {
    assertThat(group.run(LIMIT, condition)).as(what + ", seed " + group.seed).isTrue();
  }

  private static SimulatedVoters complete(long seed, List<String> names) {
    SimulatedVoters group = group(seed, names);
    await(group, "complete", group::areComplete);
    return group;
  }

  @Test
  void votersAgreeUnderFaultsAndEqualSeedsHaveEqualTraces() {
    List<Long> hashes = new ArrayList<>();
    for (int i = 0; i < SEEDS; i++) {
      hashes.add(runWithFaults(FIRST_SEED + i));
    }
    for (int i = 0; i < SEEDS; i += 10) {
      assertThat(runWithFaults(FIRST_SEED + i)).as("seed " + i).isEqualTo(hashes.get(i));
    }
  }

  /// Returns the hash of the trace.
  private static long runWithFaults(long seed) {
    SimulatedVoters group = group(seed, seed % 5 == 0 ? FIVE : THREE);
    Random random = group.simulation.random();
    for (int step = 0; step < 8; step++) {
      suffer(group, random);
      for (int i = random.nextInt(3); i > 0; i--) {
        group.propose(group.any());
      }
      group.run(Duration.ofMillis(random.nextInt(200)));
    }
    group.simulation.heal();
    await(group, "complete", group::areComplete);
    Future<?> last = group.propose(group.any());
    await(group, "ended", group::haveEnded);
    assertThat(last.succeeded()).as("the last proposal, seed " + seed).isTrue();
    await(group, "equal", group::areEqual);
    assertThat(group.agreed).containsAll(group.acknowledged);
    assertThat(group.warnings).isEmpty();
    return group.simulation.traceHash();
  }

  private static void suffer(SimulatedVoters group, Random random) {
    String one = random.nextBoolean() ? group.leader() : group.any();
    String other = group.any();
    Duration time = Duration.ofMillis(random.nextInt(600));
    switch (random.nextInt(8)) {
      case 0 -> group.simulation.suffer(Fault.isolate(one));
      case 1 -> group.simulation.suffer(Fault.cut(one, other));
      case 2 -> group.simulation.suffer(Fault.drop(1).from(one).to(other));
      case 3 ->
          group.simulation.suffer(
              Fault.drop(0.2 * random.nextDouble()),
              Fault.duplicate(0.1),
              Fault.delay(0.3, Duration.ofMillis(random.nextInt(100))));
      case 4 -> group.freeze(one, time);
      case 5, 6 -> {
        if (group.areComplete()) { // so that a majority always survives
          group.kill(one);
          group.simulation.after(time, () -> group.start(one));
        }
      }
      default -> group.simulation.heal();
    }
  }

  @Test
  void aGroupIsFoundedThoughVotersDieMeanwhile() {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS / 5; seed++) {
      SimulatedVoters group = group(seed, THREE);
      group.run(Duration.ofMillis(group.simulation.random().nextInt(150)));
      String victim = group.any();
      group.kill(victim);
      group.run(Duration.ofMillis(group.simulation.random().nextInt(150)));
      group.start(victim);
      await(group, "complete", group::areComplete);
    }
  }

  @Test
  void theNextChangeIsAcceptedSoonAfterALeadersDeath() {
    assertThat(millisToNextChange(group -> group.killSilently(group.leader()))).isLessThan(250);
    assertThat(millisToNextChange(group -> group.kill(group.leader()))).isLessThan(100);
  }

  @Test
  void aVoterThatHearsLateOfTheLeadersDeathHardlyDelaysTheOthers() {
    assertThat(millisToNextChange(group -> group.kill(group.leader(), lastFollower(group))))
        .isLessThan(150);
  }

  private static String lastFollower(SimulatedVoters group) {
    return THREE.stream().filter(name -> !name.equals(group.leader())).toList().getLast();
  }

  /// Returns the median.
  private static double millisToNextChange(Consumer<SimulatedVoters> death) {
    List<Double> times = new ArrayList<>();
    for (long seed = 1; seed <= 100; seed++) {
      SimulatedVoters group = complete(seed, THREE);
      group.run(Duration.ofMillis(group.simulation.random().nextInt(100)));
      death.accept(group);
      Duration start = group.simulation.time();
      Future<?> next = group.propose(group.any());
      await(group, "next change", next::succeeded);
      times.add(group.simulation.time().minus(start).toNanos() / 1e6);
    }
    Collections.sort(times);
    System.getLogger(RaftViewsSimulationTest.class.getName())
        .log(System.Logger.Level.INFO, "ms: median {0}, longest {1}", times.get(50), times.get(99));
    return times.get(50);
  }

  @Test
  void aVoterThatLeavesIsRemovedAndTheOthersGoOn() {
    SimulatedVoters group = complete(1, THREE);
    String leaver = group.leader();
    group.voters.get(leaver).close();
    await(group, "closed", () -> !group.voters.get(leaver).isLive());
    group.killSilently(leaver);
    await(
        group,
        "removed",
        () -> group.voters.values().stream().allMatch(v -> v.members().size() == 2));
    Future<?> next = group.propose(group.any());
    await(group, "next change", next::succeeded);
  }

  @Test
  void aMinorityStopsToBeLiveWithinTheLeaseAndAcceptsNothing() {
    SimulatedVoters group = complete(1, THREE);
    String alone = group.leader();
    group.simulation.suffer(Fault.isolate(alone));
    RaftViews<?, ?> voter = group.voters.get(alone);
    group.run(Duration.ofMillis(300));
    assertThat(voter.isLive()).isTrue();
    group.run(Duration.ofMillis(110));
    assertThat(voter.isLive()).isFalse();
    Future<?> lost = group.propose(alone);
    await(group, "end", lost::isComplete);
    assertThat(lost.cause())
        .hasMessage(
            "no majority of the voters a, b, c has accepted the change within 3.0 s; it may still be"
                + " applied");
  }

  @Test
  void whenTheMajorityIsGoneTheSurvivorSaysWhatToDo() {
    SimulatedVoters group = complete(1, THREE);
    group.kill("a");
    group.kill("b");
    group.start("a");
    group.start("b");
    group.run(LIMIT);
    assertThat(group.warnings)
        .containsExactly(
            "c: a and b died, so that no majority of the voters a, b, c can decide anything any"
                + " more; stop all of them, and resume from a checkpoint");
    assertThat(group.voters.values()).noneMatch(RaftViews::isLive);
  }

  @Test
  void twoVotersSayThatNeitherCanTakeOver() {
    SimulatedVoters group = complete(1, TWO);
    assertThat(group.warnings)
        .containsExactly(
            "a: the voters a and b are two, so neither can take over if the other dies; start a"
                + " third, such as a witness");
    group.kill("b");
    Future<?> next = group.propose("a");
    await(group, "end", next::isComplete);
    assertThat(next.failed()).isTrue();
  }

  @Test
  void aClosedVoterFailsProposals() {
    SimulatedVoters group = complete(1, THREE);
    group.voters.get("a").close();
    Future<?> late = group.propose("a");
    group.run(Duration.ofMillis(1));
    assertThatThrownBy(late::await).hasMessage("this voter has left; it decides nothing any more");
  }
}
