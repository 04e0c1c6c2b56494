// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.benchmarks.server.KillPlan.Role;
import dev.tensorbus.benchmarks.server.Killer.Killed;
import java.util.List;
import org.junit.jupiter.api.Test;

class StallsTest {
  private static final long KILL = 1_000_000_000L;
  private static final Killed KILLED = new Killed(Role.SERVER, "server1", KILL, 64);

  private static Stalls of(String... lines) {
    Stalls stalls = new Stalls();
    assertThat(lines).allMatch(stalls::read);
    return stalls;
  }

  @Test
  void theLongestCallThatWasUnderWayCounts() {
    Stalls stalls =
        of(
            "long-call trainers1 900000000 1300000000",
            "long-call trainers2 1100000000 1600000000",
            "long-call trainers1 100000000 999000000",
            "long-call trainers1 5000000000 9000000000");
    assertThat(stalls.after(KILLED)).isEqualTo(0.5);
    assertThat(stalls.figures("x.", List.of(KILLED)))
        .extracting(Object::toString)
        .containsExactly("x.stall.median 500.0 ms", "x.stall.p99 500.0 ms", "x.stall.max 500.0 ms");
  }

  @Test
  void killsOfProcessesWithoutSlotsStallNobody() {
    Killed trainer = new Killed(Role.TRAINER, "trainers1", KILL, 0);
    assertThat(of().figures("x.", List.of(trainer))).isEmpty();
  }

  @Test
  void otherLinesAreNotCalls() {
    assertThat(new Stalls().read("failed-call trainer1: error")).isFalse();
  }
}
