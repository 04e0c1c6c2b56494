// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import dev.tensorbus.rpc.testing.MemoryWorld;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/// G3: references do not leak: a million of them are made, shared with two workers and dropped.
@Isolated("it measures the heap")
@Tag("long")
class ManyReferencesTest {
  private static final int ROUND = 1_000;
  private static final int ROUNDS = 1_000;

  /// When all that is made once has been made.
  private static final int WARM = 100;

  private static final long ROOM = 32L << 20;

  @Test
  void aMillionReferencesLeaveTheHeapFlat() {
    try (MemoryWorld world = new MemoryWorld(3)) {
      Rpc owner = world.worker(0);
      long warm = 0;
      for (int round = 0; round < ROUNDS; round++) {
        if (round == WARM) {
          awaitNothingHeld(owner);
          warm = World.usedHeap();
        }
        List<RRef<Probe>> references =
            Stream.generate(() -> owner.rref(new Probe(1))).limit(ROUND).toList();
        owner.rpcSync("worker1", Probe::closeAllThere, references, "worker2");
      }
      awaitNothingHeld(owner);
      World.awaitHeap(warm + ROOM);
      for (int rank = 0; rank < 3; rank++) {
        Rpc worker = world.worker(rank);
        World.eventually(() -> worker.debugInfo().values().stream().allMatch(held -> held == 0));
      }
    }
  }

  private static void awaitNothingHeld(Rpc owner) {
    World.eventually(
        () ->
            owner.debugInfo().get("rref.owned") == 0
                && owner.debugInfo().get("rref.unconfirmed") == 0
                && owner.debugInfo().get("rpc.pending_calls") == 0);
  }
}
