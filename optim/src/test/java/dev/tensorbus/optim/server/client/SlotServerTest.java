// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.optim.server.client.SimulatedStore.TrainerCalls;
import dev.tensorbus.optim.server.consistency.Consistency;
import dev.tensorbus.optim.server.consistency.Consistency.Async;
import dev.tensorbus.optim.server.consistency.Consistency.Ssp;
import dev.tensorbus.optim.server.replica.GroupSettings;
import dev.tensorbus.optim.server.slot.SlotMap;
import dev.tensorbus.rpc.testing.Fault;
import dev.tensorbus.rpc.testing.SimulatedNode;
import io.vertx.core.Future;
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
    return new GroupSettings("g", PARAMETERS, new Sgd(1), consistency, 3, 0);
  }

  private static final int SHARDS = 4;
  private static final GroupSettings SHARDED =
      new GroupSettings("g", PARAMETERS, new Sgd(1), "bsp", 3, SHARDS);

  /// A trainer of a group with shards, whose gradients depend on the values, the step and the
  /// shard.
  private static final class ShardTrainer {
    final SimulatedStore store;
    final SimulatedNode node;
    final SlotClient client;
    final ShardClient shards;
    Map<String, Tensor> values = Map.of();
    boolean hasLeft;
    Throwable error;

    ShardTrainer(SimulatedStore store, String name) {
      this.store = store;
      node = store.simulation.start(name);
      client =
          new SlotClient(
              store.life(name), SHARDED, values(0), new TrainerCalls(store, node), LIMIT);
      shards = new ShardClient(client);
      client.join(values(0)).onSuccess(_ -> next()).onFailure(this::fail);
    }

    private void fail(Throwable failure) {
      error = failure;
    }

    private void next() {
      shards.pull().onSuccess(this::compute).onFailure(this::fail);
    }

    private void compute(ShardClient.Work work) {
      values = work.values().isEmpty() ? values : work.values();
      if (work.step() >= PUSHES) {
        client.leave().onSuccess(_ -> hasLeft = true).onFailure(this::fail);
        return;
      }
      Duration time = Duration.ofMillis(store.simulation.random().nextInt(20));
      node.after(
          time,
          () -> {
            work.shards().forEach(shard -> push(work.step(), shard));
            next();
          });
    }

    private void push(long step, int shard) {
      Map<String, Tensor> gradients = new HashMap<>();
      float own = 1 / (step + shard + 3f);
      Tensor added = Tensor.of(Shape.of(2), new float[] {own, own});
      values.forEach((name, value) -> gradients.put(name, value.scale(0.1f).add(added)));
      shards.push(shard, new Sgd(1), gradients, shard + 1);
    }

    boolean isDone() {
      return !node.isAlive() || hasLeft;
    }
  }

  /// Kills trainers one after another, all of them if the seed wants it, and starts each again.
  private static void killTrainers(SimulatedStore store, List<ShardTrainer> trainers, int kills) {
    if (kills == 0) {
      return;
    }
    store.simulation.after(
        Duration.ofMillis(50 + store.simulation.random().nextInt(150)),
        () -> {
          int victim = store.simulation.random().nextInt(trainers.size());
          if (!trainers.get(victim).isDone()) {
            store.killTrainer("trainer" + victim);
            store.simulation.after(
                Duration.ofMillis(50 + store.simulation.random().nextInt(200)),
                () -> trainers.set(victim, new ShardTrainer(store, "trainer" + victim)));
          }
          killTrainers(store, trainers, kills - 1);
        });
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
      client
          .join(values(0))
          .compose(_ -> client.pull())
          .onSuccess(_ -> next())
          .onFailure(this::fail);
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
    store.killServersInTurn(4, Duration.ofMillis(100));
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

  /// All trainers change the consistency, two of them concurrently. Each push is a step.
  @Test
  void eachPushIsAppliedOnceThoughTheConsistencyChangesAndServersDie() {
    List<Consistency> changes = List.of(new Ssp(3), new Ssp(0), new Ssp(1));
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      SimulatedStore store = new SimulatedStore(seed, new SlotMap.Settings(3, 1));
      List<Trainer> trainers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        trainers.add(new Trainer(store, "trainer" + i, "ssp:0", () -> 1));
      }
      disturb(store);
      for (int i = 0; i < changes.size(); i++) {
        Trainer changing = trainers.get(i);
        int pushes = 5 + 5 * (i / 2);
        store.simulation.runUntil(() -> changing.acknowledged.size() >= pushes, LIMIT);
        changing.client.setConsistency(changes.get(i)).onFailure(changing::fail);
      }
      String which = "seed " + seed;
      runUntilDone(store, trainers, which);
      for (float sum : read(store)) {
        assertThat(sum).as(which).isEqualTo(3 * PUSHES);
      }
    }
  }

  @Test
  void aChangeThatSlotsCannotMakeIsRefused() {
    SimulatedStore store = new SimulatedStore(FIRST, new SlotMap.Settings(3, 1));
    Trainer alone = new Trainer(store, "trainer0", "bsp", () -> 1);
    store.simulation.runUntil(() -> !alone.client.versions().isEmpty(), LIMIT);
    assertRefused(
        store, alone, new Ssp(1), "1 of 3 trainers are present; expected all to have joined");
    assertRefused(
        store, alone, new Async(), "async instead of bsp; expected bsp or ssp:T, before and after");
  }

  private static void assertRefused(
      SimulatedStore store, Trainer trainer, Consistency next, String message) {
    Future<Void> change = trainer.client.setConsistency(next);
    store.simulation.runUntil(change::isComplete, LIMIT);
    assertThat(change.cause()).hasMessageEndingWith(message);
  }

  /// Each slot learns of a trainer at another time, perhaps after a further step, and one trainer
  /// first in this slot, another one first in that slot.
  @ParameterizedTest
  @ValueSource(strings = {"bsp", "ssp:0", "ssp:1", "ssp:2"})
  void trainersThatJoinWhileOthersPushDelayNobodyForever(String consistency) {
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      SimulatedStore store = new SimulatedStore(seed, new SlotMap.Settings(3, 1));
      store.simulation.suffer(Fault.delay(0.3, Duration.ofMillis(100)));
      List<Trainer> trainers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        trainers.add(new Trainer(store, "trainer" + i, consistency, () -> 1));
      }
      Trainer first = trainers.getFirst();
      for (int i = 3; i < 10; i++) {
        int pushes = 3 * i;
        store.simulation.runUntil(() -> first.acknowledged.size() >= pushes, LIMIT);
        trainers.add(new Trainer(store, "trainer" + i, consistency, () -> 1));
      }
      runUntilDone(store, trainers, consistency + ", seed " + seed);
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

  @Test
  void stepsOfShardsHaveTheSameBitsThoughServersAndTrainersDie() {
    float[] undisturbed = new float[0];
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      SimulatedStore store = new SimulatedStore(seed, new SlotMap.Settings(3, 1));
      List<ShardTrainer> trainers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        trainers.add(new ShardTrainer(store, "trainer" + i));
      }
      if (seed > FIRST) {
        disturb(store);
        killTrainers(store, trainers, 6);
      }
      store.simulation.runUntil(
          () -> trainers.stream().allMatch(ShardTrainer::isDone) && isOver(trainers), LIMIT);
      for (ShardTrainer trainer : trainers) {
        assertThat(trainer.error == null || !trainer.node.isAlive())
            .as("seed %d: %s", seed, trainer.error)
            .isTrue();
      }
      assertThat(isOver(trainers)).as("seed " + seed).isTrue();
      float[] values = read(store);
      undisturbed = seed == FIRST ? values : undisturbed;
      assertThat(values)
          .as("seed %d: %s, not %s", seed, Arrays.toString(values), Arrays.toString(undisturbed))
          .isEqualTo(undisturbed);
    }
  }

  private static boolean isOver(List<ShardTrainer> trainers) {
    return trainers.stream().anyMatch(trainer -> trainer.hasLeft);
  }
}
