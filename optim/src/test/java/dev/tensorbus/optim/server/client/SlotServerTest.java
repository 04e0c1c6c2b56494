// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.optim.server.client.SimulatedStore.TrainerCalls;
import dev.tensorbus.optim.server.replica.GroupSettings;
import dev.tensorbus.optim.server.slot.SlotMap;
import dev.tensorbus.rpc.testing.Fault;
import dev.tensorbus.rpc.testing.SimulatedNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Three servers with one backup each, whose messages are lost, delayed and doubled, and which are
/// killed and started again while three trainers push.
///
/// Run one seed with `-Dseed=7 -Dseeds=1`.
class SlotServerTest {
  private static final int SEEDS = Integer.getInteger("seeds", 60);
  private static final long FIRST = Long.getLong("seed", 0);
  private static final int PUSHES = 40;
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final List<String> PARAMETERS = List.of("a", "b", "c", "d", "e");

  private static Map<String, Tensor> values(float value) {
    Map<String, Tensor> values = new TreeMap<>();
    PARAMETERS.forEach(name -> values.put(name, Tensor.of(Shape.of(2), new float[] {value, 1})));
    return values;
  }

  private static GroupSettings settings(String consistency) {
    return new GroupSettings("g", PARAMETERS, new Sgd(1), consistency, 3);
  }

  /// A trainer that makes some pushes, each of which adds a number to the first value of each
  /// parameter.
  private static final class Trainer {
    final String name;
    final SimulatedStore store;
    final SimulatedNode node;
    final SlotClient client;
    final DoubleSupplier number;
    final List<Double> acknowledged = new ArrayList<>();
    boolean hasLeft;
    Throwable error;

    Trainer(SimulatedStore store, String name, String consistency, DoubleSupplier number) {
      this.name = name;
      this.store = store;
      this.number = number;
      node = store.simulation.start(name);
      client =
          new SlotClient(
              store.life(name),
              settings(consistency),
              values(0),
              new TrainerCalls(store, node),
              LIMIT);
      client.join(values(0)).onSuccess(_ -> next()).onFailure(this::fail);
    }

    private void fail(Throwable failure) {
      error = failure;
    }

    private void next() {
      if (acknowledged.size() < PUSHES) {
        node.after(Duration.ofMillis(store.simulation.random().nextInt(20)), this::push);
      } else {
        client.leave().onSuccess(_ -> hasLeft = true).onFailure(this::fail);
      }
    }

    private void push() {
      double now = number.getAsDouble();
      Map<String, Tensor> gradients = new HashMap<>();
      values((float) -now).forEach((name, value) -> gradients.put(name, value));
      client
          .push(new Sgd(1), gradients, 1)
          .onSuccess(
              _ -> {
                acknowledged.add(now);
                next();
              })
          .onFailure(this::fail);
    }

    boolean isDone() {
      return !node.isAlive() || hasLeft;
    }
  }

  private static void disturb(SimulatedStore store) {
    store.simulation.suffer(Fault.drop(0.01), Fault.delay(0.05, Duration.ofMillis(300)));
    killInTurn(store, 4);
  }

  /// Kills servers one after another, each when all slots have a backup again.
  private static void killInTurn(SimulatedStore store, int kills) {
    if (kills == 0) {
      return;
    }
    Duration pause = Duration.ofMillis(100 + store.simulation.random().nextInt(200));
    store.simulation.after(
        pause,
        () -> {
          boolean isSafe =
              store.map().replicas().stream().allMatch(replicas -> replicas.size() == 2);
          if (isSafe) {
            List<String> all = List.copyOf(store.servers.keySet());
            String victim = all.get(store.simulation.random().nextInt(all.size()));
            store.killServer(victim);
            store.simulation.after(Duration.ofMillis(50), () -> store.startServer(victim));
          }
          killInTurn(store, isSafe ? kills - 1 : kills);
        });
  }

  private static float[] read(SimulatedStore store) {
    Map<String, Tensor> read = new TreeMap<>();
    SimulatedNode node = store.simulation.start("reader");
    SlotClient reader =
        new SlotClient(
            store.life("reader"),
            settings("async"),
            values(0),
            new TrainerCalls(store, node),
            LIMIT);
    reader.pull().onSuccess(read::putAll);
    store.simulation.runUntil(() -> read.size() == PARAMETERS.size(), LIMIT);
    float[] first = new float[read.size()];
    int place = 0;
    for (Tensor value : read.values()) {
      first[place++] = value.values()[0];
    }
    assertThat(first).hasSize(PARAMETERS.size());
    return first;
  }

  private static void runUntilDone(SimulatedStore store, List<Trainer> trainers, String which) {
    store.simulation.runUntil(() -> trainers.stream().allMatch(Trainer::isDone), LIMIT);
    for (Trainer trainer : trainers) {
      assertThat(trainer.error == null || !trainer.node.isAlive())
          .as("%s: %s failed: %s", which, trainer.name, trainer.error)
          .isTrue();
      assertThat(trainer.isDone())
          .as("%s: %s was answered %d times", which, trainer.name, trainer.acknowledged.size())
          .isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"async", "ssp:2"})
  void eachAcknowledgedPushIsAppliedOnceThoughServersAndATrainerDie(String consistency) {
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      SimulatedStore store = new SimulatedStore(seed, new SlotMap.Settings(3, 1));
      List<Trainer> trainers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        trainers.add(new Trainer(store, "trainer" + i, consistency, () -> 1));
      }
      disturb(store);
      String which = consistency + ", seed " + seed;
      Trainer victim = trainers.getLast();
      store.simulation.runUntil(() -> victim.acknowledged.size() == PUSHES / 3, LIMIT);
      store.killTrainer(victim.name);
      runUntilDone(store, trainers, which);
      int least = trainers.stream().mapToInt(trainer -> trainer.acknowledged.size()).sum();
      for (float sum : read(store)) {
        assertThat(sum).as(which).isBetween((float) least, least + 1f); // of the killed trainer
      }
    }
  }

  @Test
  void synchronousStepsHaveTheSameBitsThoughServersDie() {
    float[] undisturbed = new float[0];
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      SimulatedStore store = new SimulatedStore(seed, new SlotMap.Settings(3, 1));
      List<Trainer> trainers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        double own = 1.0 / (i + 3);
        trainers.add(new Trainer(store, "trainer" + i, "bsp", () -> own));
      }
      if (seed > FIRST) {
        disturb(store);
      }
      runUntilDone(store, trainers, "seed " + seed);
      float[] values = read(store);
      undisturbed = seed == FIRST ? values : undisturbed;
      assertThat(values)
          .as("seed %d: %s, not %s", seed, Arrays.toString(values), Arrays.toString(undisturbed))
          .isEqualTo(undisturbed);
    }
  }
}
