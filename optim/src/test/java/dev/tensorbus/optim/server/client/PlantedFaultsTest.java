// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.Optional;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The simulation finds each [PlantedFault] within some seeds, which are fine without the fault.
/// `-Dseed=7` starts with another one.
@Tag("slow")
class PlantedFaultsTest {
  private static final System.Logger LOG = System.getLogger(PlantedFaultsTest.class.getName());
  /// The number of seeds that are tried, from that of the fault, or another first one.
  private static final int SEEDS = 64;

  @ParameterizedTest
  @EnumSource
  void eachFaultIsFound(PlantedFault fault) {
    LongFunction<Optional<String>> faulty = new FaultyClassLoader(fault).check();
    long first = Long.getLong("seed", fault.seed());
    for (long seed = first; seed < first + SEEDS; seed++) {
      Optional<String> found = faulty.apply(seed);
      if (found.isPresent()) {
        LOG.log(System.Logger.Level.INFO, "{0}: {1}", fault, found.get());
        assertThat(found.get()).containsPattern("\\]: (" + fault.rules() + "), after");
        assertThat(StoreRun.of(seed).run().violation()).isEmpty();
        return;
      }
    }
    fail("%s: not found by the seeds %d to %d", fault, first, first + SEEDS - 1);
  }
}
