// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.tensorbus.benchmarks.chaos.Outcome.End;
import dev.tensorbus.benchmarks.chaos.Outcome.Happened;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class VerdictTest {
  private static final String REASON = "error: worker lost: parameter-server";
  private static final String LOST_2 =
      "[parameter-server] 16:04:12.881 WARNING parameter-server lost trainer2, rank 2, which left";
  private static final String EVICTED =
      "error: trainer1 was evicted from its world: it was silent for the heartbeat timeout of 5 s";

  private final List<Happened> happened = new ArrayList<>();
  private final List<End> ends = new ArrayList<>();
  private final List<String> leftOver = new ArrayList<>();
  private Workload workload = Workload.MNIST;
  private int burners;
  private Duration heartbeatTimeout = Duration.ofSeconds(5);

  private void happens(Disturbance what, long millis) {
    happened.add(new Happened(what, true, false, millis));
  }

  private void ends(int rank, int code, String... lines) {
    ends.add(new End(rank, false, code == 137, OptionalInt.of(code), List.of(lines)));
  }

  private List<String> verdict() {
    Plan plan =
        new Plan(1, workload, ends.size(), false, false, burners, heartbeatTimeout, List.of());
    return Verdict.on(new Outcome(plan, ends, happened, leftOver));
  }

  @Test
  void anUndisturbedWorldEndsWithZeros() {
    ends(0, 0);
    ends(1, 0);
    assertThat(verdict()).isEmpty();
    ends(2, 1, REASON);
    assertThat(verdict())
        .containsExactly("rank 2 ended with code 1 though no event could end a worker");
  }

  @Test
  void aHangIsWrong() {
    ends.add(new End(0, false, false, OptionalInt.empty(), List.of()));
    assertThat(verdict()).containsExactly("rank 0 hangs");
  }

  @Test
  void aFailureGivesItsReasonInOneLine() {
    happens(new Disturbance.Kill(0), 5_000);
    ends(0, 137);
    ends(1, 1, "step 1", REASON);
    assertThat(verdict()).isEmpty();
    ends.set(1, new End(1, true, false, OptionalInt.of(1), List.of()));
    assertThat(verdict())
        .containsExactly("rank 1, restarted ended with code 1 and 0 error lines, expected 1");
  }

  @Test
  void aStackTraceIsWrongWhateverTheCode() {
    ends(0, 0, "java.lang.IllegalStateException", "\tat dev.tensorbus.rpc.Rpc.open(Rpc.java:12)");
    assertThat(verdict())
        .containsExactly(
            "rank 0 printed a stack trace: at dev.tensorbus.rpc.Rpc.open(Rpc.java:12)");
  }

  @Test
  void noOtherSignalEndsAWorker() {
    ends(0, 134);
    ends.add(new End(1, false, false, OptionalInt.of(137), List.of()));
    assertThat(verdict()).contains("rank 0 ended with code 134", "rank 1 ended with code 137");
  }

  @Test
  void whoLosesRankZeroFails() {
    happens(new Disturbance.Kill(0), 5_000);
    ends(0, 137);
    ends(1, 0);
    assertThat(verdict()).containsExactly("rank 1 ended with code 0 without rank 0");
  }

  @Test
  void whoLosesOneOfSeveralWorkersGoesOn() {
    happens(new Disturbance.Kill(2), 5_000);
    ends(0, 0, LOST_2);
    ends(1, 1, REASON);
    ends(2, 137);
    assertThat(verdict())
        .containsExactly("rank 1 ended with code 1 though it could continue without [2]");
  }

  @Test
  void whoLosesTheOnlyWorkerBesideItFails() {
    workload = Workload.RNN;
    happens(new Disturbance.Kill(1), 5_000);
    ends(0, 0);
    ends(1, 137);
    assertThat(verdict()).containsExactly("rank 0 ended with code 0 without the only other worker");
  }

  @Test
  void whereBothEndsAreRightNeitherIsDemanded() {
    happens(new Disturbance.Freeze(1), 5_000);
    happens(new Disturbance.Thaw(1), 12_000);
    ends(0, 0);
    ends(1, 1, REASON);
    assertThat(verdict()).isEmpty();
    ends.set(1, new End(1, false, false, OptionalInt.of(0), List.of()));
    assertThat(verdict()).isEmpty();
  }

  @Test
  void whoWasFrozenForLongerThanTheTimeoutFails() {
    happens(new Disturbance.Freeze(1), 5_000);
    happens(new Disturbance.Thaw(1), 12_500);
    ends(0, 0);
    ends(1, 0);
    assertThat(verdict()).containsExactly("rank 1 ended with code 0 though it was evicted");
  }

  @Test
  void whoWasFrozenForLongFailsInAWorldThatIsCutToo() {
    happens(new Disturbance.Cut(0, 2), 1_000);
    happens(new Disturbance.Freeze(1), 5_000);
    happens(new Disturbance.Thaw(1), 12_500);
    ends(0, 1, REASON);
    ends(1, 0);
    ends(2, 0);
    assertThat(verdict()).containsExactly("rank 1 ended with code 0 though it was evicted");
  }

  @Test
  void whoSleepsThroughTheEndOfTheWorkMayEndWell() {
    happens(new Disturbance.Freeze(1), 5_000);
    happened.add(new Happened(new Disturbance.Thaw(1), true, true, 12_500));
    ends(0, 0);
    ends(1, 0);
    assertThat(verdict()).isEmpty();
  }

  @Test
  void whoIsFrozenBeforeAllHaveMetMayStillMeetThem() {
    happened.add(new Happened(new Disturbance.Freeze(1), false, false, 5_000));
    happens(new Disturbance.Thaw(1), 12_500);
    ends(0, 0);
    ends(1, 0);
    assertThat(verdict()).isEmpty();
  }

  @Test
  void whoIsKilledWhileItIsFrozenOwesNothing() {
    happens(new Disturbance.Freeze(1), 5_000);
    happens(new Disturbance.Kill(1), 13_000);
    ends(0, 1, REASON);
    ends(1, 137);
    assertThat(verdict()).isEmpty();
  }

  @Test
  void aShortFreezeAndAStepOfAClockEndNobody() {
    happens(new Disturbance.Freeze(1), 5_000);
    happens(new Disturbance.Thaw(1), 7_500);
    happens(new Disturbance.Step(0, Duration.ofSeconds(60)), 8_000);
    ends(0, 0);
    ends(1, 1, REASON);
    assertThat(verdict())
        .containsExactly("rank 1 ended with code 1 though no event could end a worker");
  }

  @Test
  void aLeftOverFileIsWrong() {
    ends(0, 0);
    leftOver.add("vertx-cache");
    assertThat(verdict()).containsExactly("left over: vertx-cache");
  }

  @Test
  void whoGoesOnWithoutAWorkerSaysSo() {
    happens(new Disturbance.Kill(2), 5_000);
    ends(0, 0);
    ends(1, 0);
    ends(2, 137);
    assertThat(verdict()).containsExactly("no worker reported that rank 2 was lost");
    ends.removeFirst();
    ends(0, 0, LOST_2);
    assertThat(verdict()).isEmpty();
  }

  @Test
  void aPauseOfTheWholeWorldEvictsNobody() {
    pauseAll(3, 5_000, 9_600);
    happens(new Disturbance.Kill(2), 10_000);
    ends(0, 1, EVICTED);
    ends(1, 0, LOST_2);
    ends(2, 137);
    assertThat(verdict())
        .containsExactly(
            "rank 0 was evicted, though it was silent for less than the heartbeat timeout",
            "rank 0 ended with code 1 though it could continue without [2]");
  }

  @Test
  void nobodyIsEvictedWhereAllEndWithoutRankZeroEither() {
    pauseAll(3, 5_000, 9_600);
    happens(new Disturbance.Kill(0), 10_000);
    ends(0, 137);
    ends(1, 1, EVICTED);
    ends(2, 1, REASON);
    assertThat(verdict())
        .containsExactly(
            "rank 1 was evicted, though it was silent for less than the heartbeat timeout");
  }

  @Test
  void whoWasPausedAloneForLessThanTheTimeoutIsNotLost() {
    happens(new Disturbance.Freeze(2), 5_000);
    happens(new Disturbance.Thaw(2), 9_500);
    ends(0, 0, LOST_2);
    ends(1, 0);
    ends(2, 0);
    assertThat(verdict()).containsExactly("rank 0 lost rank 2, which was alive");
    heartbeatTimeout = Duration.ofSeconds(3);
    ends.set(2, new End(2, false, false, OptionalInt.of(1), List.of(EVICTED)));
    assertThat(verdict()).isEmpty();
  }

  @Test
  void aWorldThatPausesAsAWholeIsSilentToNobody() {
    heartbeatTimeout = Duration.ofSeconds(2);
    pauseAll(3, 5_000, 12_000);
    ends(0, 0);
    ends(1, 0);
    ends(2, 1, EVICTED);
    assertThat(verdict())
        .containsExactly(
            "rank 2 was evicted, though it was silent for less than the heartbeat timeout",
            "rank 2 ended with code 1 though no event could end a worker");
  }

  @Test
  void aBusyHostIsNoReasonToLoseAWorker() {
    burners = 6;
    ends(0, 0, LOST_2);
    ends(1, 0);
    ends(2, 0);
    assertThat(verdict()).containsExactly("rank 0 lost rank 2, which was alive");
  }

  @Test
  void aBusyHostMakesASilenceLonger() {
    burners = 6;
    happens(new Disturbance.Freeze(2), 5_000);
    happens(new Disturbance.Thaw(2), 8_000);
    ends(0, 0, LOST_2);
    ends(1, 0);
    ends(2, 1, EVICTED);
    assertThat(verdict()).isEmpty();
  }

  @Test
  void whoIsAwakeIsSilentToNobody() {
    happens(new Disturbance.Freeze(1), 1_000);
    pauseAll(3, 2_000, 6_000);
    happens(new Disturbance.Freeze(0), 7_000);
    happens(new Disturbance.Kill(0), 7_100);
    happens(new Disturbance.Freeze(2), 9_000);
    ends(0, 137);
    ends(1, 1, REASON);
    ends(2, 0);
    Plan plan =
        new Plan(1, workload, ends.size(), false, false, burners, heartbeatTimeout, List.of());
    assertThat(Silence.in(new Outcome(plan, ends, happened, leftOver)))
        .extracting(Silence::rank, Silence::millis)
        .containsExactly(
            tuple(0, 0L), tuple(1, 1_000L), tuple(2, 0L), tuple(0, 100L), tuple(2, 0L));
  }

  private void pauseAll(int worldSize, long start, long end) {
    for (int rank = 0; rank < worldSize; rank++) {
      happens(new Disturbance.Freeze(rank), start);
    }
    for (int rank = 0; rank < worldSize; rank++) {
      happens(new Disturbance.Thaw(rank), end);
    }
  }
}
