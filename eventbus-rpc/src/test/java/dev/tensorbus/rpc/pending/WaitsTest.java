// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.pending;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WaitsTest {
  private static final long EVER = Long.MAX_VALUE;
  private static final long NO_TIME = -1;

  private final Waits waits = new Waits();

  @Test
  void nobodyIsAloneBesideOneThatBeganShortlyBefore() {
    Waits.Wait first = waits.begin();
    assertThat(first.isAlone(EVER)).isTrue();
    assertThat(waits.begin().isAlone(EVER)).isFalse();
    assertThat(first.isAlone(EVER)).isFalse();
  }

  @Test
  void whoeverWaitsForSomethingLongLeavesOthersAlone() {
    Waits.Wait first = waits.begin();
    assertThat(waits.begin().isAlone(NO_TIME)).isTrue();
    assertThat(first.isAlone(NO_TIME)).isFalse();
  }

  @Test
  void whoeverEndsIsForgottenInWhateverOrder() {
    Waits.Wait first = waits.begin();
    Waits.Wait second = waits.begin();
    Waits.Wait third = waits.begin();
    second.end();
    assertThat(first.isLatest()).isFalse();
    first.end();
    assertThat(third.isAlone(EVER)).isTrue();
    third.end();
    Waits.Wait fourth = waits.begin();
    assertThat(fourth.isAlone(EVER)).isTrue();
  }
}
