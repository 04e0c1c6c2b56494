// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class StepTimesTest {
  private final AtomicLong nanos = new AtomicLong();
  private final StepTimes times = new StepTimes(nanos::get);

  private void step(long millis) {
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
    times.step();
  }

  /// On a device, Java traces the first, second, 4th, 8th … step.
  @Test
  void theMedianIsTheTimeOfCompiledSteps() {
    for (int step = 1; step <= 100; step++) {
      step(Integer.bitCount(step) == 1 ? 500 : 5);
      assertThat(times.isSettled()).isEqualTo(step > 5);
      if (times.isSettled()) {
        assertThat(times.median()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(5));
      }
    }
  }
}
