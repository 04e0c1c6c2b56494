// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.pending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Keeps an event loop awake where that brings messages sooner, and no longer.
class LoopLookoutTest {
  private static final int MANY = 1_000;
  private static final long TURN = TimeUnit.MICROSECONDS.toNanos(1);
  private static final long WAKING = TimeUnit.MICROSECONDS.toNanos(50);

  private final Queue<Runnable> due = new ArrayDeque<>();
  private long now;
  private final LoopLookout lookout = new LoopLookout(due::add, () -> now);

  @BeforeEach
  void needSeveralCores() {
    assumeTrue(Lookout.HAS_CORES, "with one core it never looks out");
  }

  /// The loop looks for events once and then does what is due; whether it stays awake.
  private boolean turn() {
    now += TURN;
    for (int left = due.size(); left > 0; left--) {
      due.remove().run();
    }
    return !due.isEmpty();
  }

  /// The loop has nothing to do for so long; whether it was awake at first.
  private boolean pause(long nanos) {
    long end = now + nanos;
    boolean isAwake = turn();
    while (now < end) {
      turn();
    }
    return isAwake;
  }

  /// Many messages that are there at once for a loop that is awake, while another must be woken;
  /// how often it was awake.
  private int messagesInARow() {
    int awake = 0;
    for (int i = 0; i < MANY; i++) {
      lookout.messageCame();
      if (turn()) {
        awake++;
      } else {
        pause(WAKING);
      }
    }
    return awake;
  }

  @Test
  void itStaysAwakeWhereThatBringsMessagesSooner() {
    assertThat(messagesInARow()).isGreaterThan(MANY * 9 / 10);
  }

  @Test
  void itGoesToSleepWhenNoneComes() {
    messagesInARow();
    pause(2 * Habit.LONGEST_LOOK_NANOS);
    assertThat(due).isEmpty();
  }

  @Test
  void itGoesToSleepAtOnceWhereMessagesTakeLonger() {
    int awake = 0;
    for (int i = 0; i < MANY; i++) {
      lookout.messageCame();
      awake += pause(2 * Habit.LONGEST_LOOK_NANOS) ? 1 : 0;
    }
    assertThat(awake).isLessThan(MANY / 10);
  }

  @Test
  void whatComesTogetherIsOneMessage() {
    messagesInARow();
    lookout.messageCame();
    turn();
    lookout.messageCame();
    lookout.messageCame();
    turn();
    assertThat(due).hasSize(1);
  }
}
