// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.idle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ActiveWaitersTest {
  private static final long EVER = Long.MAX_VALUE;
  private static final long NO_TIME = -1;

  private final ActiveWaiters waiters = new ActiveWaiters();

  @Test
  void aWaiterIsNotAloneBesideOneThatBeganShortlyBefore() {
    ActiveWaiters.Waiter first = waiters.begin();
    assertThat(first.isAlone(EVER)).isTrue();
    assertThat(waiters.begin().isAlone(EVER)).isFalse();
    assertThat(first.isAlone(EVER)).isFalse();
  }

  @Test
  void aWaiterThatBeganLongAgoLeavesOthersAlone() {
    ActiveWaiters.Waiter first = waiters.begin();
    assertThat(waiters.begin().isAlone(NO_TIME)).isTrue();
    assertThat(first.isAlone(NO_TIME)).isFalse();
  }

  @Test
  void aWaiterThatEndsIsForgottenInAnyOrder() {
    ActiveWaiters.Waiter first = waiters.begin();
    ActiveWaiters.Waiter second = waiters.begin();
    ActiveWaiters.Waiter third = waiters.begin();
    second.end();
    assertThat(first.isLatest()).isFalse();
    first.end();
    assertThat(third.isAlone(EVER)).isTrue();
    third.end();
    ActiveWaiters.Waiter fourth = waiters.begin();
    assertThat(fourth.isAlone(EVER)).isTrue();
  }
}
