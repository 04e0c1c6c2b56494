// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class IdGeneratorTest {
  private static final int LIVES = 100;
  private static final int IDS = 1000;

  @Test
  void twoLivesOfARankMakeDifferentIds() {
    Set<Long> made = new HashSet<>();
    for (int life = 0; life < LIVES; life++) {
      IdGenerator ids = new IdGenerator(3);
      for (int i = 0; i < IDS; i++) {
        made.add(ids.next());
      }
    }
    assertThat(made).hasSize(LIVES * IDS);
  }

  @Test
  void laterIdsOfALifeAreGreaterAndNameTheirRank() {
    IdGenerator ids = new IdGenerator(65_535);
    long first = ids.next();
    long second = ids.next();
    assertThat(IdGenerator.isEarlier(first, second)).isTrue();
    assertThat(IdGenerator.rankOf(second)).isEqualTo(65_535);
    assertThat(ids.isOwn(first)).isTrue();
    assertThat(new IdGenerator(0).isOwn(first)).isFalse();
  }
}
