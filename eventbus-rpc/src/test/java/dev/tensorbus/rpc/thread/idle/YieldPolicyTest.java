// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.idle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.rpc.thread.time.NanoClock;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class YieldPolicyTest {
  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  private final YieldPolicy yields = new YieldPolicy(NanoClock.SYSTEM);
  private final long start = System.nanoTime();

  @Test
  void yieldsAgainToAThreadThatGaveTheCoreBackSoon() {
    yields.wasAway(start, start + MILLI / 10);
    assertThat(yields.isDue(start + MILLI / 10)).isTrue();
  }

  @Test
  void doesNotYieldForFourTimesAsLongAfterAThreadThatKeptTheCore() {
    yields.wasAway(start, start + 3 * MILLI);
    assertThat(yields.isDue(start + 14 * MILLI)).isFalse();
    assertThat(yields.isDue(start + 15 * MILLI)).isTrue();
  }
}
