// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.rpc.testing.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// The JVM's clock, the clock that tests move, and deadlines.
class ClockTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final ManualClock clock = new ManualClock();
  private final List<String> rung = new ArrayList<>();

  private void alarm(Duration after, String name) {
    clock.after(after.toNanos(), () -> rung.add(name + " at " + clock.instant().getEpochSecond()));
  }

  @Test
  void alarmsRingAtTheirTimesAndInOrder() {
    alarm(SECOND.multipliedBy(3), "late");
    alarm(SECOND, "soon");
    alarm(SECOND, "next");
    clock.advance(SECOND.minusNanos(1));
    assertThat(rung).isEmpty();
    clock.advance(Duration.ofHours(1));
    assertThat(rung).containsExactly("soon at 1", "next at 1", "late at 3");
    assertThat(clock.instant()).isEqualTo(Instant.EPOCH.plusSeconds(3601).minusNanos(1));
  }

  @Test
  void anAlarmThatIsCancelledDoesNotRing() {
    Clock.cancel(clock.alarm(1, () -> rung.add("cancelled")));
    assertThat(clock.alarmCount()).isZero();
    clock.advance(SECOND);
    assertThat(rung).isEmpty();
  }

  @Test
  void aPeriodicAlarmRingsUntilTheClockIsStopped() {
    clock.every(SECOND, () -> rung.add("tick"));
    clock.advance(SECOND.multipliedBy(3));
    assertThat(rung).hasSize(3);
    clock.stop();
    clock.advance(SECOND.multipliedBy(3));
    assertThat(rung).hasSize(3);
    assertThat((Object) clock.alarm(1, () -> rung.add("after the end"))).isNull();
  }

  @Test
  void aTestHearsOfAnAlarmThatFails() {
    clock.after(
        1,
        () -> {
          throw new IllegalArgumentException("wrong");
        });
    assertThatThrownBy(() -> clock.advance(SECOND)).hasRootCauseMessage("wrong");
  }

  @Test
  void aThreadSleepsUntilTheTimeHasCome() throws InterruptedException {
    Thread sleeper = Thread.ofVirtual().start(() -> clock.sleep(SECOND));
    clock.awaitSleeper();
    clock.advance(SECOND.minusNanos(1));
    assertThat(sleeper.isAlive()).isTrue();
    clock.advance(SECOND);
    sleeper.join();
  }

  @Test
  void anAlarmOfTheSystemRings() throws InterruptedException {
    Clock system = new SystemClock(Thread.ofPlatform().daemon().factory());
    CountDownLatch rings = new CountDownLatch(3);
    system.after(1, rings::countDown);
    system.every(
        Duration.ofMillis(1),
        () -> {
          rings.countDown();
          throw new IllegalStateException("logged, and the next period rings again");
        });
    rings.await();
    system.stop();
    assertThat(system.isStopped()).isTrue();
    assertThat((Object) system.alarm(1, rings::countDown)).isNull();
  }

  @Test
  void aDeadlineIsOverWhenItsTimeHasCome() {
    Deadline deadline = Deadline.after(SECOND, clock);
    clock.advance(SECOND.minusNanos(2));
    assertThat(deadline.isOver()).isFalse();
    assertThat(deadline.left()).isEqualTo(Duration.ofNanos(2));
    clock.advance(Duration.ofNanos(5));
    assertThat(deadline.isOver()).isTrue();
    assertThat(deadline.nanosLeft()).isEqualTo(-3);
    assertThat(deadline.left()).isEqualTo(Duration.ofNanos(1));
  }
}
