// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.idle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Spins where that brings answers sooner, and finds out when that changes.
class AdaptiveSpinTest {
  private static final int CALLS = 10_000;
  private static final int TRIAL = 16;

  private long now;
  private final AdaptiveSpin spin = new AdaptiveSpin(() -> now);

  /// How many of many calls spin, when answers take this long.
  private int spins(long microsSpinning, long microsParking) {
    int spins = 0;
    for (int call = 0; call < CALLS; call++) {
      boolean spinsNow = spin.spins();
      spins += spinsNow ? 1 : 0;
      long nanos = TimeUnit.MICROSECONDS.toNanos(spinsNow ? microsSpinning : microsParking);
      now += nanos;
      spin.took(spinsNow, nanos);
    }
    return spins;
  }

  @Test
  void spinsWhereThatIsFasterAndTriesToParkNowAndThen() {
    assertThat(spins(60, 110)).isBetween(CALLS * 95 / 100, CALLS - 1);
  }

  @Test
  void parksWhereThatIsFasterAndTriesToSpinNowAndThen() {
    assertThat(spins(110, 60)).isBetween(1, CALLS * 5 / 100);
  }

  @Test
  void doesNotSpinForLongerThanASpin() {
    assertThat(spins(10_000, 10_050)).isBetween(1, CALLS * 5 / 100);
  }

  @Test
  void changesWhenTheMachineDoes() {
    spins(60, 110);
    assertThat(spins(110, 60)).isLessThan(CALLS / 2);
    assertThat(spins(60, 110)).isGreaterThan(CALLS / 2);
  }

  @Test
  void learnsTheSameAfterAColdStart() {
    spins(20_000, 20_000);
    assertThat(spins(60, 110)).isGreaterThan(CALLS / 2);
  }

  @Test
  void oneSlowCallChangesNothing() {
    spins(60, 110);
    spin.took(true, TimeUnit.SECONDS.toNanos(1));
    assertThat(spins(60, 110)).isGreaterThan(CALLS * 95 / 100);
  }

  @Test
  void triesTheSlowerWayOnceASecondWhenThatChangesNothing() {
    spins(60, 110);
    long start = now;
    int parked = CALLS - spins(60, 110) + CALLS - spins(60, 110) + CALLS - spins(60, 110);
    long seconds = TimeUnit.NANOSECONDS.toSeconds(now - start);
    assertThat(parked).isBetween(TRIAL, (int) (seconds + 1) * TRIAL);
  }
}
