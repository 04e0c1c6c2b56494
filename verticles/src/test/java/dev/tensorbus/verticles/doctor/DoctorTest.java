// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.verticles.doctor.Doctor.Probe;
import dev.tensorbus.verticles.doctor.Finding.Verdict;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class DoctorTest {
  private static final Probe GOOD = new Probe("good", () -> () -> Finding.ok("well"));
  private static final Probe BAD = new Probe("bad", () -> () -> Finding.bad("ill"));

  private final Map<String, Finding> told = new LinkedHashMap<>();

  private Verdict examine(Duration patience, Probe... probes) throws InterruptedException {
    return new Doctor(List.of(probes), patience).examine(told::put);
  }

  @Test
  void theWorstVerdictCounts() throws InterruptedException {
    assertThat(examine(Duration.ofMinutes(1), GOOD)).isEqualTo(Verdict.OK);
    assertThat(examine(Duration.ofMinutes(1), BAD, GOOD)).isEqualTo(Verdict.BAD);
    assertThat(told).containsEntry("bad", Finding.bad("ill"));
  }

  @Test
  void aCheckThatHangsIsLeft() throws InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    Probe hangs = new Probe("driver", () -> wait(never));
    assertThat(examine(Duration.ofMillis(10), hangs)).isEqualTo(Verdict.WEAK);
    never.countDown();
    assertThat(told)
        .containsExactly(Map.entry("driver", Finding.weak("unknown: the check timed out")));
  }

  private static Check wait(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return () -> Finding.ok("awake");
  }

  @Test
  void aCheckThatFailsSaysWhy() throws InterruptedException {
    Probe fails =
        new Probe(
            "file",
            () -> {
              throw new IllegalStateException("gone");
            });
    assertThat(examine(Duration.ofMinutes(1), fails)).isEqualTo(Verdict.WEAK);
    assertThat(told)
        .containsEntry("file", Finding.weak("unknown: java.lang.IllegalStateException: gone"));
  }

  /// The tests themselves train here.
  @Test
  void aTrainingCanRunOnThisMachine() throws InterruptedException {
    assertThat(Doctor.here().examine(told::put)).isNotEqualTo(Verdict.BAD);
    assertThat(told).hasSize(11);
    assertThat(told.values()).noneMatch(finding -> finding.text().startsWith("unknown"));
    assertThat(told.get("kernels").text()).contains("-bit vectors on ");
  }
}
