// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.pending;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Looks out where that brings answers sooner, and finds out when that changes.
class HabitTest {
  private static final int CALLS = 10_000;

  private final Habit habit = new Habit();

  /// How many of many calls it looked out for, when answers take this long.
  private int looks(long microsLooking, long microsSleeping) {
    int looks = 0;
    for (int call = 0; call < CALLS; call++) {
      boolean isLooking = habit.looks();
      looks += isLooking ? 1 : 0;
      habit.took(
          isLooking, TimeUnit.MICROSECONDS.toNanos(isLooking ? microsLooking : microsSleeping));
    }
    return looks;
  }

  @Test
  void itLooksOutWhereThatIsSoonerAndTriesTheOtherNowAndThen() {
    assertThat(looks(60, 110)).isBetween(CALLS * 95 / 100, CALLS - 1);
  }

  @Test
  void itSleepsWhereThatIsSoonerAndTriesTheOtherNowAndThen() {
    assertThat(looks(110, 60)).isBetween(1, CALLS * 5 / 100);
  }

  @Test
  void itDoesNotLookOutForWhatTakesLonger() {
    assertThat(looks(10_000, 10_050)).isBetween(1, CALLS * 5 / 100);
  }

  @Test
  void itChangesWhenTheMachineDoes() {
    looks(60, 110);
    assertThat(looks(110, 60)).isLessThan(CALLS / 2);
    assertThat(looks(60, 110)).isGreaterThan(CALLS / 2);
  }

  @Test
  void afterAColdStartItLearnsTheSame() {
    looks(20_000, 20_000);
    assertThat(looks(60, 110)).isGreaterThan(CALLS / 2);
  }

  @Test
  void oneCallThatTookLongChangesNothing() {
    looks(60, 110);
    habit.took(true, TimeUnit.SECONDS.toNanos(1));
    assertThat(looks(60, 110)).isGreaterThan(CALLS * 95 / 100);
  }
}
