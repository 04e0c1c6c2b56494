// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.rpc.testing.ForkedJvm;
import java.io.BufferedReader;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/// A seed has one trace, in every JVM. `-Dseeds=1000` compares more seeds.
class StoreHashesIT {
  private static final int SEEDS = Integer.getInteger("seeds", 20);
  private static final long FIRST = Long.getLong("seed", 0);

  @Test
  void twoJvmsHaveEqualTraces() throws IOException {
    try (ForkedJvm other =
            ForkedJvm.startPiped(StoreHashes.class, Long.toString(FIRST), Integer.toString(SEEDS));
        BufferedReader lines = other.output()) {
      for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
        assertThat(lines.readLine()).isEqualTo(StoreHashes.line(seed)).endsWith("fine");
      }
    }
  }
}
