// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Runs parameter servers in virtual time, and checks the [Invariants] after each event.
///
/// Run one seed with `-Dseed=7 -Dseeds=1`.
@Tag("slow")
class StoreSimulationTest {
  private static final int SEEDS = Integer.getInteger("seeds", 100);
  private static final long FIRST = Long.getLong("seed", 0);

  @Test
  void theInvariantsHoldThoughServersAndTrainersDie() {
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      assertThat(StoreRun.of(seed).run().violation()).isEmpty();
    }
  }

  /// Trainers waited for each other, in different slots: those that had joined while others pushed
  /// (251, 747), and those whose requests were for slots of which one had moved (2569).
  @ParameterizedTest
  @ValueSource(longs = {251, 747, 2569})
  void theSeedsThatHaveFoundFaultsAreFine(long seed) {
    assertThat(StoreRun.of(seed).run().violation()).isEmpty();
  }

  @Test
  void equalSeedsHaveEqualTraces() {
    for (long seed = FIRST; seed < FIRST + Math.min(SEEDS, 20); seed++) {
      StoreRun run = StoreRun.of(seed);
      assertThat(run.run().hash()).as("seed %d", seed).isEqualTo(run.run().hash());
    }
  }
}
