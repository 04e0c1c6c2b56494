// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.lane;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CourtesyTest {
  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  private final Courtesy courtesy = new Courtesy();
  private final long start = System.nanoTime();

  @Test
  void whoGivesTheCoreBackSoonIsOfferedItAgain() {
    courtesy.wasAway(start, start + MILLI / 10);
    assertThat(courtesy.isDue(start + MILLI / 10)).isTrue();
  }

  @Test
  void whoKeepsItIsNotOfferedItForFourTimesAsLong() {
    courtesy.wasAway(start, start + 3 * MILLI);
    assertThat(courtesy.isDue(start + 14 * MILLI)).isFalse();
    assertThat(courtesy.isDue(start + 15 * MILLI)).isTrue();
  }
}
