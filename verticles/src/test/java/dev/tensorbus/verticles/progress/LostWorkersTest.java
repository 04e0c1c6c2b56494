// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LostWorkersTest {
  @Test
  void theLatestEndOfEachWorkerIsRead() throws Exception {
    LostWorkers losses = LostWorkers.create();
    losses.add("trainer1", "exit code 1");
    losses.add("trainer2", "exit code 3");
    losses.add("trainer1", "exit code 137, killed by signal 9");
    assertThat(losses.manners())
        .isEqualTo(
            Map.of("trainer1", "exit code 137, killed by signal 9", "trainer2", "exit code 3"));
    losses.delete();
    assertThat(losses.file()).doesNotExist();
  }

  @Test
  void whereNothingCanBeWrittenOrReadNothingIsKnown() {
    LostWorkers losses = new LostWorkers(Path.of("no such folder", "losses.txt"));
    losses.add("trainer1", "exit code 1");
    assertThat(losses.manners()).isEmpty();
    losses.delete();
    assertThat(LostWorkers.read()).as("without a launcher").isEmpty();
  }
}
