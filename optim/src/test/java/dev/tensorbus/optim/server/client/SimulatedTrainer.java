// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.client;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.optim.server.client.SimulatedStore.TrainerCalls;
import dev.tensorbus.optim.server.consistency.Consistency;
import dev.tensorbus.optim.server.replica.GroupSettings;
import dev.tensorbus.rpc.testing.SimulatedNode;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/// A trainer that makes some pushes, and pulls after each. The push of the trainer with number `i`
/// adds 1 to the value with index `i` of each parameter.
final class SimulatedTrainer {
  /// How long a slot may be without a server.
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /// The parameters, and how often each trainer pushes.
  ///
  /// @param columns the number of values of each parameter
  /// @param expected the number of trainers that the first step waits for
  record Work(String consistency, int parameters, int columns, int expected, int pushes) {
    /// Returns a copy for readers, which do not wait until all slots are at the same step.
    Work asynchronous() {
      return new Work("async", parameters, columns, expected, pushes);
    }

    private GroupSettings settings() {
      return new GroupSettings(
          "g", values(-1).keySet().stream().toList(), new Sgd(1), consistency, expected, 0);
    }

    private Map<String, Tensor> values(int index) {
      float[] values = new float[columns];
      if (index >= 0) {
        values[index % columns] = -1; // since a step subtracts the gradient
      }
      Map<String, Tensor> tensors = new TreeMap<>();
      for (int i = 0; i < parameters; i++) {
        tensors.put("p" + i, Tensor.of(Shape.of(columns), values.clone()));
      }
      return tensors;
    }
  }

  private final String name;
  private final SimulatedStore store;
  private final Invariants invariants;
  private final Work work;
  private final SimulatedNode node;
  private final SlotClient client;
  private final int slowness;
  private int pushes;
  private String change = "";
  private boolean isDone;

  /// @param slowness the longest time between two pushes in milliseconds
  private SimulatedTrainer(
      String name, SimulatedStore store, Invariants invariants, Work work, int slowness) {
    this.name = name;
    this.store = store;
    this.invariants = invariants;
    this.work = work;
    this.slowness = slowness;
    node = store.simulation.start(name);
    client =
        new SlotClient(
            store.life(name),
            work.settings(),
            work.values(-1),
            new TrainerCalls(store, node),
            PATIENCE);
  }

  /// Starts a trainer.
  ///
  /// @param number its number, from 0
  static SimulatedTrainer start(
      int number, SimulatedStore store, Invariants invariants, Work work, int slowness) {
    var trainer = new SimulatedTrainer("trainer" + number, store, invariants, work, slowness);
    trainer.then(trainer.client.join(work.values(-1)), trainer::next);
    return trainer;
  }

  /// Starts a client that only reads, until it is killed.
  static SimulatedTrainer reader(
      String name, SimulatedStore store, Invariants invariants, Work work, int slowness) {
    var reader = new SimulatedTrainer(name, store, invariants, work, slowness);
    reader.read();
    return reader;
  }

  /// Returns the number of the trainer with this name.
  static int index(String name) {
    return Integer.parseInt(name.substring("trainer".length()));
  }

  String name() {
    return name;
  }

  /// Returns the number of pushes that it has begun.
  int pushes() {
    return pushes;
  }

  /// Returns whether it has made its pushes and left, or was killed.
  boolean isDone() {
    return isDone || !node.isAlive();
  }

  private void then(Future<?> request, Runnable next) {
    invariants.began(name);
    request
        .onSuccess(
            _ -> {
              invariants.ended(name);
              next.run();
            })
        .onFailure(error -> invariants.failed(name, error));
  }

  private void pause(Runnable next) {
    node.after(Duration.ofMillis(store.simulation.random().nextInt(slowness)), next);
  }

  /// Changes the consistency before its next push.
  void change(String consistency) {
    change = consistency;
  }

  private void next() {
    if (!change.isEmpty()) {
      String next = change;
      change = "";
      then(client.setConsistency(Consistency.parse(next)), this::next);
    } else if (pushes < work.pushes()) {
      pause(this::push);
    } else {
      invariants.leaves(this);
      then(client.leave(), () -> isDone = true);
    }
  }

  private void push() {
    pushes++;
    then(
        client.push(new Sgd(1), work.values(index(name)), 1),
        () -> {
          invariants.released(this);
          pull(this::next);
        });
  }

  private void pull(Runnable next) {
    then(
        client.pull(),
        () -> {
          store.simulation.trace(name + " pulled " + client.map().epoch());
          next.run();
        });
  }

  private void read() {
    pause(() -> pull(this::read));
  }
}
