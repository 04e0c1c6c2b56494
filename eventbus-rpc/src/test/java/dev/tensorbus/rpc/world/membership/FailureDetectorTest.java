// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.membership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.wire.Sender;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// G12: who is silent too long, by a clock of the test.
class FailureDetectorTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final Duration PERIOD = Duration.ofMillis(100);
  private static final Sender PEER = new Sender(new WorkerInfo("peer", 1), 7);

  private final List<Sender> asked = new ArrayList<>();
  private final List<Sender> lost = new ArrayList<>();
  private long now;
  private final FailureDetector detector = new FailureDetector(TIMEOUT, PERIOD);

  private void tick(Duration later, Set<Sender> peers) {
    now += later.toNanos();
    detector.tick(peers, asked::add, lost::add);
  }

  /// How long it takes until the peer is lost, with whose help or without.
  private Duration silence(Runnable afterTick) {
    long start = now;
    while (lost.isEmpty() && now - start < TIMEOUT.multipliedBy(10).toNanos()) {
      tick(PERIOD, Set.of(PEER));
      afterTick.run();
    }
    return Duration.ofNanos(now - start);
  }

  @Test
  void whoSaysNothingIsLostWithinTheTimeoutAndIsAskedBefore() {
    assertThat(silence(() -> {})).isLessThan(TIMEOUT).isGreaterThan(Duration.ofSeconds(4));
    assertThat(asked).hasSizeGreaterThan(10).containsOnly(PEER);
  }

  @Test
  void whoAnswersIsNeverLost() {
    silence(
        () -> {
          asked.forEach(detector::heard);
          asked.clear();
        });
    assertThat(lost).isEmpty();
  }

  @Test
  void whoIsFrozenForLessThanTheTimeoutLives() {
    silence(() -> answerUnlessFrozen(Duration.ofMillis(3600)));
    assertThat(lost).isEmpty();
  }

  /// It goes silent right before each answer, once every ten seconds.
  private void answerUnlessFrozen(Duration frozen) {
    if (now % Duration.ofSeconds(10).toNanos() >= frozen.toNanos()) {
      asked.forEach(detector::heard);
      asked.clear();
    }
  }

  @Test
  void whoeverHasNoCallsWithThisWorkerIsNotAsked() {
    for (int i = 0; i < 1000; i++) {
      tick(PERIOD, Set.of());
    }
    assertThat(asked).isEmpty();
  }
}
