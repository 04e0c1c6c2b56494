// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.consistency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.optim.server.consistency.Clocks.Outcome;
import dev.tensorbus.optim.server.consistency.Consistency.Async;
import dev.tensorbus.optim.server.consistency.Consistency.Bsp;
import dev.tensorbus.optim.server.consistency.Consistency.Quorum;
import dev.tensorbus.optim.server.consistency.Consistency.Ssp;
import dev.tensorbus.rpc.group.Members;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClocksTest {
  private final Members<String> trainers = Members.of("trainer", List.of("a", "b", "c"));

  private static <K> void assertOutcome(Outcome<K> outcome, List<K> step, List<K> released) {
    assertThat(outcome.step()).containsExactlyElementsOf(step);
    assertThat(outcome.released()).containsExactlyElementsOf(released);
    assertThat(outcome.dropped()).isEmpty();
  }

  @Test
  void withBspAStepTakesOnePushOfEachTrainer() {
    Clocks<String> clocks = new Clocks<>(trainers, new Bsp(0));
    assertOutcome(clocks.push("c"), List.of(), List.of());
    assertOutcome(clocks.push("a"), List.of(), List.of());
    assertOutcome(clocks.push("b"), List.of("a", "b", "c"), List.of("a", "b", "c"));
    assertOutcome(clocks.push("b"), List.of(), List.of());
  }

  @Test
  void withABackupWorkerThePushOfTheSlowestIsDroppedAndItGoesOnWithTheOthers() {
    Clocks<String> clocks = new Clocks<>(trainers, new Bsp(1));
    assertOutcome(clocks.push("c"), List.of(), List.of());
    assertOutcome(clocks.push("a"), List.of("a", "c"), List.of("a", "c"));
    Outcome<String> late = clocks.push("b");
    assertThat(late.step()).isEmpty();
    assertThat(late.dropped()).containsExactly("b");
    assertThat(late.released()).containsExactly("b");
    assertOutcome(clocks.push("b"), List.of(), List.of());
    assertOutcome(clocks.push("c"), List.of("b", "c"), List.of("b", "c"));
  }

  @Test
  void aQuorumWaitsForTheOthersForAGraceTime() {
    Clocks<String> clocks = new Clocks<>(trainers, new Quorum(2, Duration.ofSeconds(1)));
    assertThat(clocks.push("a").grace()).isNull();
    Clocks.Grace grace = clocks.push("c").grace();
    assertThat(grace).isEqualTo(new Clocks.Grace(0, Duration.ofSeconds(1)));
    assertOutcome(clocks.graceEnded(grace), List.of("a", "c"), List.of("a", "c"));
    assertThat(clocks.push("b").dropped()).containsExactly("b");
    assertOutcome(clocks.graceEnded(grace), List.of(), List.of());
  }

  @Test
  void aQuorumIsNotWaitedForOnceAllHavePushed() {
    Clocks<String> clocks = new Clocks<>(trainers, new Quorum(2, Duration.ofSeconds(1)));
    clocks.push("a");
    Clocks.Grace grace = clocks.push("b").grace();
    assertOutcome(clocks.push("c"), List.of("a", "b", "c"), List.of("a", "b", "c"));
    clocks.push("a");
    assertOutcome(clocks.graceEnded(grace), List.of(), List.of());
    assertThat(clocks.push("b").grace()).isEqualTo(new Clocks.Grace(1, Duration.ofSeconds(1)));
  }

  @Test
  void withFewerTrainersThanAQuorumAStepTakesOnePushOfEach() {
    Clocks<String> clocks = new Clocks<>(trainers, new Quorum(2, Duration.ofSeconds(1)));
    clocks.push("a");
    trainers.lose("b");
    clocks.membersChanged();
    trainers.lose("c");
    assertOutcome(clocks.membersChanged(), List.of("a"), List.of("a"));
  }

  @Test
  void withSspATrainerWaitsOnceItIsTooFarAhead() {
    Clocks<String> clocks = new Clocks<>(trainers, new Ssp(1));
    assertOutcome(clocks.push("a"), List.of("a"), List.of("a"));
    assertOutcome(clocks.push("a"), List.of("a"), List.of());
    assertOutcome(clocks.push("b"), List.of("b"), List.of("b"));
    assertOutcome(clocks.push("c"), List.of("c"), List.of("a", "c"));
  }

  @Test
  void withoutStalenessTrainersContinueTogetherAsWithBsp() {
    Clocks<String> clocks = new Clocks<>(trainers, new Ssp(0));
    assertOutcome(clocks.push("a"), List.of("a"), List.of());
    assertOutcome(clocks.push("b"), List.of("b"), List.of());
    assertOutcome(clocks.push("c"), List.of("c"), List.of("a", "b", "c"));
  }

  @Test
  void anOpenStepIsTakenWhenTrainersNeedNotWaitAnyMore() {
    Clocks<String> clocks = new Clocks<>(trainers, new Bsp(0));
    clocks.push("a");
    clocks.push("b");
    assertOutcome(clocks.change(new Ssp(1)), List.of("a", "b"), List.of("a", "b"));
    assertThat(clocks.times()).isEqualTo(Map.of("a", 1L, "b", 1L, "c", 0L));
    assertOutcome(clocks.push("a"), List.of("a"), List.of());
    assertOutcome(clocks.push("c"), List.of("c"), List.of("a", "c"));
  }

  @Test
  void stepsCombinePushesAsSoonAsAllClocksAreEqual() {
    Clocks<String> clocks = new Clocks<>(trainers, new Ssp(2));
    clocks.push("a");
    clocks.push("a");
    clocks.push("b");
    assertOutcome(clocks.change(new Bsp(0)), List.of(), List.of());
    assertOutcome(clocks.push("a"), List.of("a"), List.of()); // it is 3 ahead
    assertOutcome(clocks.push("c"), List.of("c"), List.of("c"));
    assertOutcome(clocks.push("c"), List.of("c"), List.of());
    assertOutcome(clocks.push("b"), List.of("b"), List.of("b", "c"));
    assertOutcome(clocks.push("b"), List.of("b"), List.of());
    assertOutcome(clocks.push("c"), List.of("c"), List.of("a", "b", "c"));
    clocks.push("b");
    clocks.push("c");
    assertOutcome(clocks.push("a"), List.of("a", "b", "c"), List.of("a", "b", "c"));
    assertThat(clocks.times()).isEqualTo(Map.of("a", 4L, "b", 4L, "c", 4L));
    assertThat(clocks.start()).isEqualTo(4);
  }

  @Test
  void trainersThatAreTooFarAheadForANewStalenessWaitAndContinueWithAHigherOne() {
    Clocks<String> clocks = new Clocks<>(trainers, new Ssp(2));
    clocks.push("a");
    clocks.push("a");
    assertOutcome(clocks.change(new Ssp(1)), List.of(), List.of());
    assertOutcome(clocks.push("a"), List.of("a"), List.of());
    assertOutcome(clocks.change(new Ssp(3)), List.of(), List.of("a"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"async", "bsp:1", "quorum:2:5ms"})
  void theConsistencyChangesOnlyWhereAllAreWaitedFor(String other) {
    Clocks<String> clocks = new Clocks<>(trainers, new Bsp(0));
    assertThatThrownBy(() -> clocks.change(Consistency.parse(other)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(other + " instead of bsp; expected bsp or ssp:T, before and after");
  }

  @Test
  void theConsistencyChangesOnlyOnceAllHaveJoined() {
    Members<String> two = Members.open("trainer", 2);
    two.join("a");
    Clocks<String> clocks = new Clocks<>(two, new Bsp(0));
    assertThatThrownBy(() -> clocks.change(new Ssp(1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "ssp:1 instead of bsp, but 1 of 2 trainers are present; expected all to have joined");
  }

  @Test
  void asynchronousTrainersNeverWait() {
    Clocks<String> clocks = new Clocks<>(trainers, new Async());
    for (int push = 0; push < 100; push++) {
      assertOutcome(clocks.push("a"), List.of("a"), List.of("a"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"bsp", "ssp:0"})
  void whoHasLeftIsNotWaitedFor(String consistency) {
    Clocks<String> clocks = new Clocks<>(trainers, Consistency.parse(consistency));
    clocks.push("a");
    clocks.push("b");
    trainers.lose("c");
    assertThat(clocks.membersChanged().released()).containsExactly("a", "b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"bsp", "ssp:0"})
  void whoIsStillExpectedIsWaitedFor(String consistency) {
    Members<String> two = Members.expecting("trainer", 2);
    two.join("a");
    Clocks<String> clocks = new Clocks<>(two, Consistency.parse(consistency));
    assertThat(clocks.push("a").released()).isEmpty();
    two.join("b");
    SortedSet<String> released = new TreeSet<>(clocks.membersChanged().released());
    released.addAll(clocks.push("b").released());
    assertThat(released).contains("a");
  }

  @Test
  void whoIsStillExpectedStartsAtTheClockForWhichItWasWaited() {
    Members<String> two = Members.open("trainer", 2);
    two.join("a");
    Clocks<String> clocks = new Clocks<>(two, new Ssp(0));
    assertOutcome(clocks.push("a"), List.of("a"), List.of());
    two.join("b");
    assertOutcome(clocks.membersChanged(), List.of(), List.of());
    assertThat(clocks.times()).isEqualTo(Map.of("a", 1L, "b", 0L));
    assertOutcome(clocks.push("b"), List.of("b"), List.of("a", "b"));
  }

  @Test
  void whoComesBackStartsAtTheClockOfTheSlowestTrainer() {
    Clocks<String> clocks = new Clocks<>(trainers, new Ssp(1));
    for (int round = 0; round < 10; round++) {
      List.of("a", "b", "c").forEach(clocks::push);
    }
    trainers.lose("c");
    clocks.membersChanged();
    trainers.join("c");
    clocks.membersChanged();
    assertOutcome(clocks.push("a"), List.of("a"), List.of("a"));
    assertOutcome(clocks.push("a"), List.of("a"), List.of());
    assertOutcome(clocks.push("b"), List.of("b"), List.of("b"));
    assertOutcome(clocks.push("c"), List.of("c"), List.of("a", "c"));
  }

  @Test
  void whenAllAreGoneTheNextTrainerStartsWhereTheyWere() {
    Members<String> open = Members.open("trainer", 1);
    open.join("a");
    Clocks<String> clocks = new Clocks<>(open, new Ssp(0));
    clocks.push("a");
    open.leave("a");
    clocks.membersChanged();
    open.join("b");
    clocks.membersChanged();
    assertThat(clocks.time("b")).contains(1L);
    assertThat(clocks.time("a")).isEmpty();
  }

  /// As below, while the consistency changes.
  @Test
  void nobodyWaitsForEverThoughTheConsistencyChanges() {
    for (long seed = 0; seed < 1000; seed++) {
      RandomRun run = new RandomRun(new Ssp(4), seed);
      run.changes = true;
      run.run();
    }
  }

  /// Trainers compute, wait, die and come back at random. At the end, none is left waiting.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "bsp",
        "bsp:1",
        "bsp:3",
        "quorum:3:0ms",
        "quorum:3:5ms",
        "ssp:0",
        "ssp:1",
        "ssp:4",
        "async"
      })
  void nobodyWaitsForEverAndNobodyRunsTooFarAhead(String text) {
    for (long seed = 0; seed < 1000; seed++) {
      new RandomRun(Consistency.parse(text), seed).run();
    }
  }

  /// A random sequence of events, which checks every outcome.
  private static final class RandomRun {
    private static final int TRAINERS = 6;
    private static final int EVENTS = 200;

    private final Members<Integer> members = Members.expecting("trainer", TRAINERS);
    private final Consistency consistency;
    private final RandomGenerator random;
    private final String name;
    private final Clocks<Integer> clocks;
    private final SortedSet<Integer> computing = new TreeSet<>();
    private final SortedSet<Integer> waiting = new TreeSet<>();
    private final SortedSet<Integer> unapplied = new TreeSet<>();
    private final Deque<Clocks.Grace> graces = new ArrayDeque<>();

    /// Whether the consistency changes, to ones that are stricter.
    boolean changes;

    /// By trainer: the pushes that were applied, counted from the slowest trainer's at the start.
    private final Map<Integer, Long> pushes = new TreeMap<>();

    RandomRun(Consistency consistency, long seed) {
      this.consistency = consistency;
      this.random = new SplittableRandom(seed);
      this.name = consistency + " with seed " + seed;
      this.clocks = new Clocks<>(members, consistency);
    }

    void run() {
      for (int trainer = 0; trainer < TRAINERS; trainer++) {
        join(trainer);
      }
      for (int event = 0; event < EVENTS; event++) {
        int trainer = random.nextInt(TRAINERS);
        int kind = random.nextInt(20);
        if (changes && random.nextInt(10) == 0) {
          int staleness = random.nextInt(6) - 1;
          follow(clocks.change(staleness < 0 ? new Bsp(0) : new Ssp(staleness)));
        }
        if (!graces.isEmpty() && random.nextInt(10) == 0) {
          follow(clocks.graceEnded(graces.remove()));
        }
        if (!members.present().contains(trainer)) {
          join(trainer);
        } else if (kind == 0) {
          lose(trainer);
        } else if (computing.contains(trainer)) {
          push(trainer);
        }
      }
      while (!graces.isEmpty()) {
        follow(clocks.graceEnded(graces.remove()));
      }
      assertSomebodyGoesOn();
    }

    private void join(int trainer) {
      long slowest = pushes.values().stream().min(Long::compare).orElse(0L);
      members.join(trainer);
      computing.add(trainer);
      pushes.put(trainer, slowest);
      follow(clocks.membersChanged());
    }

    private void lose(int trainer) {
      clocks.withdraw(trainer);
      computing.remove(trainer);
      waiting.remove(trainer);
      unapplied.remove(trainer);
      pushes.remove(trainer);
      members.lose(trainer);
      follow(clocks.membersChanged());
    }

    private void push(int trainer) {
      computing.remove(trainer);
      waiting.add(trainer);
      unapplied.add(trainer);
      follow(clocks.push(trainer));
    }

    private void follow(Outcome<Integer> outcome) {
      for (int trainer : outcome.step()) {
        assertThat(unapplied.remove(trainer)).as("%s: one step per push", name).isTrue();
        pushes.merge(trainer, 1L, Long::sum);
      }
      for (int trainer : outcome.dropped()) {
        assertThat(unapplied.remove(trainer)).as("%s: dropped, not applied", name).isTrue();
      }
      if (outcome.grace() != null) {
        graces.add(outcome.grace());
      }
      for (int trainer : outcome.released()) {
        assertThat(waiting.remove(trainer)).as("%s: released once", name).isTrue();
        computing.add(trainer);
      }
      assertBounded();
      assertSomebodyGoesOn();
    }

    private void assertBounded() {
      if (consistency instanceof Ssp ssp && !computing.isEmpty()) {
        long slowest = pushes.values().stream().min(Long::compare).orElseThrow();
        for (int trainer : computing) {
          assertThat(pushes.get(trainer) - slowest)
              .as("%s: pushes of %d ahead of the slowest", name, trainer)
              .isLessThanOrEqualTo(ssp.staleness());
        }
      }
    }

    private void assertSomebodyGoesOn() {
      if (members.isComplete() && !members.present().isEmpty() && graces.isEmpty()) {
        assertThat(new ArrayList<>(computing)).as("%s: somebody computes", name).isNotEmpty();
      }
    }
  }

  @Test
  void aQuorumOfNobodyIsRefused() {
    assertThatThrownBy(() -> Consistency.parse("quorum:0:5ms"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a quorum of 0 with a grace time of 5 ms; expected a quorum of 1 or more");
  }

  @ParameterizedTest
  @ValueSource(strings = {"bsp", "bsp:2", "quorum:7:200ms", "ssp:0", "ssp:4", "async"})
  void theTextOfAConsistencyNamesIt(String text) {
    assertThat(Consistency.parse(text)).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "quorum:7",
        "quorum:7:1s",
        "bsp:1:1",
        "ssp",
        "ssp:",
        "ssp:-1",
        "async:1",
        "BSP",
        "ssp:1.5",
        "ssp:9999999999"
      })
  void anUnknownConsistencyIsRefusedWithWhatIsExpected(String text) {
    assertThatThrownBy(() -> Consistency.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "consistency \"%s\"; expected bsp, bsp:B (B backup workers), quorum:K:MSms (K pushes and"
                    .formatted(text)
                + " a grace time in milliseconds), ssp:T (staleness T) or async");
  }
}
