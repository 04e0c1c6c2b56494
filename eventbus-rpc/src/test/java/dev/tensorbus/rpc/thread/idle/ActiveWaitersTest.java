// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.idle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.rpc.testing.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ActiveWaitersTest {
  private static final Duration SPIN = Duration.ofNanos(100);

  private final ManualClock clock = new ManualClock();
  private final ActiveWaiters waiters = new ActiveWaiters(clock);

  private static boolean isAlone(ActiveWaiters.Waiter waiter) {
    return waiter.isAlone(SPIN.toNanos());
  }

  @Test
  void aWaiterIsNotAloneBesideOneThatBeganShortlyBefore() {
    ActiveWaiters.Waiter first = waiters.begin();
    assertThat(isAlone(first)).isTrue();
    assertThat(isAlone(waiters.begin())).isFalse();
    assertThat(isAlone(first)).isFalse();
  }

  @Test
  void aWaiterThatBeganLongAgoLeavesOthersAlone() {
    ActiveWaiters.Waiter first = waiters.begin();
    clock.advance(SPIN.plusNanos(1));
    assertThat(isAlone(waiters.begin())).isTrue();
    assertThat(isAlone(first)).isFalse();
  }

  @Test
  void aWaiterThatEndsIsForgottenInAnyOrder() {
    ActiveWaiters.Waiter first = waiters.begin();
    ActiveWaiters.Waiter second = waiters.begin();
    ActiveWaiters.Waiter third = waiters.begin();
    second.end();
    assertThat(first.isLatest()).isFalse();
    first.end();
    assertThat(isAlone(third)).isTrue();
    third.end();
    ActiveWaiters.Waiter fourth = waiters.begin();
    assertThat(isAlone(fourth)).isTrue();
  }
}
