// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// References and how long they live; the subclasses say how the workers are connected.
abstract class ReferenceContract {
  private World world;
  private Rpc first;

  /// Connects this many workers named worker0, worker1, …
  abstract World open(int size);

  @BeforeEach
  void openWorld() {
    world = open(3);
    first = world.worker(0);
  }

  @AfterEach
  void closeWorld() {
    world.close();
  }

  @Test
  void aReferenceThatComesHomeStaysWithWhoSentIt() {
    for (int round = 0; round < 20; round++) {
      RRef<Probe> mine = first.rref(new Probe(round));
      assertThat(first.rpcSync("worker1", Errands::keep, mine)).isSameAs(mine);
      assertThat(first.rpcSync("worker1", Errands::askKept, 1)).isEqualTo(round + 1);
    }
  }
}
