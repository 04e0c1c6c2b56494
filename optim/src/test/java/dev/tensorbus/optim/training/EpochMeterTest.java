// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class EpochMeterTest {
  private final AtomicLong clock = new AtomicLong(-7);
  private final Advance advance = new Advance(new TotalLoss(false, 0, 0));

  private EpochMeter meter() {
    return new EpochMeter(advance, 100, clock::get);
  }

  private void step(EpochMeter meter, int batches, long examples, double loss) {
    advance.countStep(batches, new TotalLoss(false, loss * examples, examples));
    meter.add(examples);
  }

  @Test
  void aLongEpochSaysEveryTenSecondsHowFarItIs() {
    EpochMeter meter = meter();
    step(meter, 2, 50, 1.5);
    clock.addAndGet(TimeUnit.SECONDS.toNanos(5)); // a first step: the estimate does not count it
    step(meter, 1, 46, 1.5);
    assertThat(meter).hasToString("batch 3/100  loss 1.5000");
    step(meter, 1, 100, 0.5);
    assertThat(meter.isTimeToSay()).isFalse();
    clock.addAndGet(TimeUnit.SECONDS.toNanos(10));
    assertThat(meter.isTimeToSay()).isTrue();
    assertThat(meter.isTimeToSay()).isFalse();
    assertThat(meter).hasToString("batch 4/100  loss 0.9898  10 samples/s  16:00 left");
  }

  @Test
  void theSpeedOfAResumedEpochIsThatOfThisProcess() {
    advance.countStep(60, new TotalLoss(false, 6000, 6000));
    EpochMeter meter = meter();
    step(meter, 2, 50, 2);
    step(meter, 2, 50, 2);
    step(meter, 4, 100, 2);
    clock.addAndGet(TimeUnit.SECONDS.toNanos(10));
    assertThat(meter).hasToString("batch 68/100  loss 1.0323  10 samples/s  1:20 left");
  }
}
