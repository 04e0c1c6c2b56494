// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class EpochMeterTest {
  private final AtomicLong clock = new AtomicLong(-7);
  private final EpochMeter meter = new EpochMeter(100, clock::get);

  @Test
  void aLongEpochSaysEveryTenSecondsHowFarItIs() {
    meter.add(3, 96, 1.5);
    meter.add(1, 4, 0.5);
    assertThat(meter.isTimeToSay()).isFalse();
    clock.addAndGet(TimeUnit.SECONDS.toNanos(10));
    assertThat(meter.isTimeToSay()).isTrue();
    assertThat(meter.isTimeToSay()).isFalse();
    assertThat(meter).hasToString("batch 4/100  loss 1.4600  10 samples/s  4:00 left");
  }
}
