// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.client;

import dev.tensorbus.rpc.testing.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Kills, freezes and cuts off the servers of a [SimulatedStore], one at a time, and never the last
/// replica of a slot. A server that the others took for dead meanwhile ends then, as a worker does
/// that learns that it was lost.
final class Disturbance {
  private final SimulatedStore store;
  private final boolean cuts;
  private final Random random;
  private int remaining;

  /// @param cuts whether servers are also frozen and cut off
  /// @param count the number of disturbances
  Disturbance(SimulatedStore store, boolean cuts, int count) {
    this.store = store;
    this.cuts = cuts;
    random = store.simulation.random();
    remaining = count;
  }

  void start() {
    if (remaining > 0) {
      store.simulation.after(millis(20, 200), this::strike);
    }
  }

  private Duration millis(int least, int most) {
    return Duration.ofMillis(least + random.nextInt(most - least));
  }

  private void strike() {
    List<String> all = new ArrayList<>(store.servers.keySet());
    String victim = all.get(random.nextInt(all.size()));
    if (!isSafe(victim)) {
      start();
      return;
    }
    remaining--;
    switch (cuts ? random.nextInt(4) : 0) {
      case 1 -> {
        store.simulation.freeze(victim);
        disappear(victim, () -> thaw(victim));
      }
      case 2, 3 -> {
        store.names.stream()
            .filter(other -> !other.equals(victim))
            .forEach(other -> store.simulation.suffer(Fault.cut(victim, other)));
        disappear(victim, this::heal);
      }
      default -> kill(victim);
    }
  }

  private void thaw(String victim) {
    if (store.servers.containsKey(victim)) {
      store.simulation.thaw(victim);
    }
  }

  private void heal() {
    store.simulation.heal();
    suffer(store);
  }

  /// Makes messages late, and some of them lost.
  static void suffer(SimulatedStore store) {
    store.simulation.suffer(
        Fault.drop(store.losesMessages() ? 0.01 : 0),
        Fault.delay(0.05, Duration.ofMillis(300)).where(one -> !one.kind().equals("Envelope")));
  }

  /// Returns whether the others can go on without a server: they are complete, and have its slots.
  private boolean isSafe(String victim) {
    return store.agreement.isComplete()
        && store.map().isAssigned()
        && store.map().servers().size() == store.names.size()
        && store.map().replicas().stream()
            .noneMatch(
                replicas -> replicas.size() == 1 && replicas.getFirst().worker().equals(victim));
  }

  private void kill(String victim) {
    store.killServer(victim);
    store.simulation.after(
        millis(50, 120),
        () -> {
          store.startServer(victim);
          start();
        });
  }

  /// A server is silent for a time. If that is long, the others take it for dead.
  private void disappear(String victim, Runnable reappear) {
    Duration notice = millis(50, 400);
    Duration silence = millis(20, 1200);
    boolean isLost = notice.compareTo(silence) < 0;
    boolean isEvicted = isLost && random.nextBoolean(); // it notices that it has lost the others
    if (isLost) {
      store.simulation.after(notice, () -> store.lose(victim));
    }
    if (isEvicted) {
      store.simulation.after(notice, () -> store.loseOthers(victim));
    }
    store.simulation.after(
        silence,
        () -> {
          if (isEvicted) {
            kill(victim);
            reappear.run();
          } else if (isLost) {
            reappear.run();
            store.simulation.after(millis(0, 50), () -> kill(victim));
          } else {
            reappear.run();
            start();
          }
        });
  }
}
