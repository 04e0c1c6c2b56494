// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TimesTest {
  @Test
  void quantilesAreOfTheRunsThatThereAre() {
    Times times = new Times(10);
    for (int seconds : new int[] {3, 1, 2}) {
      times.add(seconds * 1_000_000_000L);
    }
    assertThat(times.median()).isEqualTo(2);
    assertThat(times.quantile(0.99)).isEqualTo(3);
    assertThat(times.quantile(0)).isEqualTo(1);
  }

  @Test
  void aWarmUpIsAsOftenAndAsLongAsAskedFor() {
    AtomicInteger runs = new AtomicInteger();
    Times.warmUp(5, Duration.ZERO, runs::incrementAndGet);
    assertThat(runs).hasValue(5);
    long start = System.nanoTime();
    Times.warmUp(1, Duration.ofMillis(50), runs::incrementAndGet);
    assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(50_000_000);
    assertThat(runs.get()).isGreaterThan(6);
  }
}
