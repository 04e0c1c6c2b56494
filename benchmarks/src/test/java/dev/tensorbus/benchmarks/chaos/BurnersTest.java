// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class BurnersTest {
  @Test
  void noBurnerOutlivesItsWorld() throws Exception {
    List<ProcessHandle> others = children();
    List<ProcessHandle> burning;
    try (Burners _ = Burners.perCore(1)) {
      burning = children().stream().filter(child -> !others.contains(child)).toList();
      assertThat(burning).hasSizeGreaterThanOrEqualTo(Runtime.getRuntime().availableProcessors());
    }
    assertThat(burning).filteredOn(BurnersTest::isBurner).isEmpty();
  }

  private static List<ProcessHandle> children() {
    return ProcessHandle.current().children().toList();
  }

  private static boolean isBurner(ProcessHandle process) {
    return process.isAlive() && process.info().command().filter(c -> c.endsWith("sh")).isPresent();
  }
}
