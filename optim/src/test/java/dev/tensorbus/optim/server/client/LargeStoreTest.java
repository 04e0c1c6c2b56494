// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.optim.server.client.SimulatedTrainer.Work;
import dev.tensorbus.optim.server.slot.SlotMap;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Many trainers and 16 servers, one of which dies, in one JVM. `-Dtrainers=N` sets their number.
@Tag("slow")
class LargeStoreTest {
  private static final int TRAINERS = Integer.getInteger("trainers", 100);
  private static final int PUSHES = 3;

  @ParameterizedTest
  @ValueSource(strings = {"bsp", "ssp:1"})
  void allTrainersFinishThoughAServerDies(String consistency) {
    Invariants invariants = new Invariants(consistency, "");
    SimulatedStore store =
        new SimulatedStore(1, new SlotMap.Settings(16, 1), false, false, Observer.NONE);
    invariants.start(store.simulation);
    Work work = new Work(consistency, 32, 1, TRAINERS, PUSHES);
    Deque<SimulatedTrainer> remaining = new ArrayDeque<>();
    for (int i = 0; i < TRAINERS; i++) {
      remaining.add(SimulatedTrainer.start(i, store, invariants, work, 20));
    }
    remaining.forEach(invariants::paces);
    SimulatedTrainer last = remaining.getLast();
    killOnce(store, last);
    store.simulation.runUntil(
        () -> {
          while (!remaining.isEmpty() && remaining.getFirst().isDone()) {
            remaining.removeFirst();
          }
          return remaining.isEmpty() || invariants.violation() != null;
        },
        Duration.ofSeconds(60));
    assertThat(invariants.violation()).isNull();
    assertThat(remaining).isEmpty();
  }

  private static void killOnce(SimulatedStore store, SimulatedTrainer trainer) {
    store.simulation.after(
        Duration.ofMillis(5),
        () -> {
          if (trainer.pushes() == 0) {
            killOnce(store, trainer);
          } else {
            store.killServer("server7");
          }
        });
  }
}
