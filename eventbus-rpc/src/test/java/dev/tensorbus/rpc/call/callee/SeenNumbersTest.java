// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call.callee;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Numbers are remembered for as long as their calls could come again, in little memory.
class SeenNumbersTest {
  private static final int NUMBERS = 2_000;

  private final long seed = Long.getLong("seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final SeenNumbers seen = new SeenNumbers();

  @Test
  void aNumberIsRememberedHoweverManyFollowIt() {
    seen.add(2);
    for (long number = 3; number < 1_000_000; number++) {
      seen.add(number);
    }
    assertThat(seen.contains(2)).isTrue();
    assertThat(seen.contains(1)).as("it never came").isFalse();
    assertThat(seen.gaps()).isEqualTo(1);
  }

  @Test
  void aNumberFarAheadSpoilsNoOther() {
    seen.add(1L << 60);
    assertThat(seen.contains(1)).isFalse();
    assertThat(seen.contains((1L << 60) - 1)).isFalse();
    assertThat(seen.contains((1L << 60) + 1)).isFalse();
    assertThat(seen.contains(1L << 60)).isTrue();
  }

  @Test
  void lowerNumbersThatAreOverCountAsCome() {
    seen.add(5);
    seen.addBelow(4);
    assertThat(seen.contains(3)).isTrue();
    assertThat(seen.contains(4)).isFalse();
    seen.add(4);
    assertThat(seen.contains(6)).isFalse();
    assertThat(seen.gaps()).isZero();
  }

  @Test
  void itAgreesWithASetOfBits() {
    BitSet expected = new BitSet();
    for (int i = 0; i < 20_000; i++) {
      int number = 1 + random.nextInt(NUMBERS);
      if (random.nextInt(1_000) == 0) {
        seen.addBelow(number);
        expected.set(0, number);
      } else {
        seen.add(number);
        expected.set(number);
      }
      int asked = 1 + random.nextInt(NUMBERS);
      assertThat(seen.contains(asked))
          .as("%d, seed %d", asked, seed)
          .isEqualTo(expected.get(asked));
    }
  }
}
