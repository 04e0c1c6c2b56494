// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.idle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// An event loop stays awake where that brings messages sooner, and no longer.
class EventLoopIdleStrategyTest {
  private static final int MANY = 1_000;
  private static final long TURN = TimeUnit.MICROSECONDS.toNanos(1);
  private static final long WAKING = TimeUnit.MICROSECONDS.toNanos(50);

  private final Queue<Runnable> due = new ArrayDeque<>();
  private long now;
  private final EventLoopIdleStrategy idle = new EventLoopIdleStrategy(due::add, () -> now);

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
      idle.reset();
      if (turn()) {
        awake++;
      } else {
        pause(WAKING);
      }
    }
    return awake;
  }

  @Test
  void staysAwakeWhereThatBringsMessagesSooner() {
    assertThat(messagesInARow()).isGreaterThan(MANY * 9 / 10);
  }

  @Test
  void sleepsWhenNoMessageComes() {
    messagesInARow();
    pause(2 * AdaptiveSpin.LONGEST_SPIN_NANOS);
    assertThat(due).isEmpty();
  }

  @Test
  void sleepsAtOnceWhereMessagesTakeLonger() {
    int awake = 0;
    for (int i = 0; i < MANY; i++) {
      idle.reset();
      awake += pause(2 * AdaptiveSpin.LONGEST_SPIN_NANOS) ? 1 : 0;
    }
    assertThat(awake).isLessThan(MANY / 10);
  }

  @Test
  void messagesThatComeTogetherCountAsOne() {
    messagesInARow();
    idle.reset();
    turn();
    idle.reset();
    idle.reset();
    turn();
    assertThat(due).hasSize(1);
  }
}
