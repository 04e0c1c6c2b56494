// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.benchmarks.server.PushCounts.Pushed;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PushCountsTest {
  private static final List<Pushed> LIVES = List.of(new Pushed(4, 3), new Pushed(2, 2));
  private static final long ACKNOWLEDGED = 1 + 2 + 3 + 1 + 2;

  @Test
  void theLastPushOfALifeThatWasCutOffMayOrMayNotCount() {
    assertThat(PushCounts.wrong(LIVES, ACKNOWLEDGED)).isNull();
    assertThat(PushCounts.wrong(LIVES, ACKNOWLEDGED + 4)).isNull();
  }

  @Test
  void aLostAndARepeatedPushAreFound() {
    assertThat(PushCounts.wrong(LIVES, ACKNOWLEDGED - 3 + 2))
        .isEqualTo("the sum is 8; expected 9, and perhaps some of the unanswered pushes [4]");
    assertThat(PushCounts.wrong(LIVES, ACKNOWLEDGED + 3)).isNotNull();
    assertThat(PushCounts.wrong(LIVES, ACKNOWLEDGED + 8)).isNotNull();
  }

  @Test
  void theCountsOfALifeAreReadFromItsFile(@TempDir Path folder) {
    PushCounts counts = PushCounts.create(folder, "trainer1");
    counts.acknowledged(counts.begin());
    long _ = counts.begin();
    assertThat(PushCounts.read(folder, "trainer1")).containsExactly(new Pushed(2, 1));
    assertThat(PushCounts.read(folder, "trainer")).isEmpty();
  }
}
