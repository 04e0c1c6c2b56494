// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.membership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.wire.Sender;
import dev.tensorbus.rpc.wire.value.Schemas;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// G19: which part of a world goes on, by a clock of the test.
class MajorityTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final List<Integer> left = new ArrayList<>();
  private long now;
  private final Majority majority = new Majority(TIMEOUT, () -> now);

  private void world(int size) {
    left.addAll(IntStream.range(0, size).boxed().toList());
  }

  private boolean isLostBy(int rank, DepartureCause cause) {
    left.remove((Integer) rank);
    Sender sender = new Sender(new WorkerInfo("worker" + rank, rank), rank);
    Member gone = new Member(sender, "node" + rank, 3, "", new Schemas("", new TreeMap<>()));
    return majority.isLostBy(List.of(new Departure(gone, cause)), left);
  }

  @Test
  void whoLosesMostOfAWorldBySilenceIsCutOff() {
    world(3);
    assertThat(isLostBy(0, DepartureCause.SILENCE)).isFalse();
    assertThat(isLostBy(1, DepartureCause.SILENCE)).isTrue();
  }

  @Test
  void ofTwoHalvesTheOneWithTheLowestRankGoesOn() {
    world(4);
    assertThat(isLostBy(2, DepartureCause.SILENCE)).isFalse();
    assertThat(isLostBy(3, DepartureCause.SILENCE)).isFalse();
    left.clear();
    now += TIMEOUT.multipliedBy(3).toNanos();
    world(4);
    assertThat(isLostBy(0, DepartureCause.SILENCE)).isFalse();
    assertThat(isLostBy(1, DepartureCause.SILENCE)).isTrue();
  }

  @Test
  void processesThatEndCutNobodyOff() {
    world(5);
    for (int rank = 0; rank < 4; rank++) {
      assertThat(isLostBy(rank, DepartureCause.NODE_LEFT)).isFalse();
    }
  }

  @Test
  void whoIsLostToTheOthersIsCutOffThoughTheyClosedTheirConnections() {
    world(3);
    assertThat(isLostBy(0, DepartureCause.SILENCE)).isFalse();
    assertThat(isLostBy(2, DepartureCause.NODE_LEFT)).isTrue();
  }

  @Test
  void workersThatAreLostLongAfterEachOtherCutNobodyOff() {
    world(4);
    for (int rank = 3; rank > 1; rank--) {
      assertThat(isLostBy(rank, DepartureCause.SILENCE)).isFalse();
      now += TIMEOUT.multipliedBy(3).toNanos();
    }
  }

  @Test
  void ofTwoWorkersNeitherKnowsWhichIsCutOff() {
    world(2);
    assertThat(isLostBy(0, DepartureCause.SILENCE)).isFalse();
  }
}
