// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class JoinedClocksTest {
  private final JoinedClocks clocks = new JoinedClocks();

  @Test
  void whoHasJoinedNothingHasNothingToCatchUp() {
    assertThat(clocks.difference()).isZero();
    assertThat(clocks.lowest()).isEmpty();
  }

  @Test
  void theLowestClocksAdvanceUntilAllAreEqual() {
    clocks.set(Map.of(1, 5L, 2, 7L));
    clocks.set(Map.of(3, 6L));
    assertThat(clocks.difference()).isEqualTo(2);
    assertThat(clocks.lowest()).containsExactly(1);
    clocks.advance(clocks.lowest());
    assertThat(clocks.lowest()).containsExactly(1, 3);
    clocks.advance(clocks.lowest());
    assertThat(clocks.difference()).isZero();
  }
}
