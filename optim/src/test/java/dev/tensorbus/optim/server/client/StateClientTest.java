// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.Optimizer;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.OptimizerState;
import dev.tensorbus.optim.OptimizerState.Memory;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.optim.server.client.SimulatedStore.TrainerCalls;
import dev.tensorbus.optim.server.client.StateClient.State;
import dev.tensorbus.optim.server.replica.GroupSettings;
import dev.tensorbus.optim.server.slot.Life;
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
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Three trainers restore a run concurrently and continue it, and the first one reads the state
/// after each step, while messages are lost and delayed and servers are killed.
///
/// Run one seed with `-Dseed=7 -Dseeds=1`.
class StateClientTest {
  private static final int SEEDS = Integer.getInteger("seeds", 60);
  private static final long FIRST = Long.getLong("seed", 0);
  private static final int PUSHES = 15;
  private static final long BEFORE = 100;
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final List<String> PARAMETERS = List.of("a", "b", "c", "d", "e");
  private static final OptimizerSpec SPEC = new Sgd(0.5).withMomentum(0.9);
  private static final GroupSettings SETTINGS =
      new GroupSettings("g", PARAMETERS, SPEC, "bsp", 3, 0);

  private static Map<String, Tensor> values(float value) {
    Map<String, Tensor> values = new TreeMap<>();
    PARAMETERS.forEach(name -> values.put(name, Tensor.of(Shape.of(2), new float[] {value, 1})));
    return values;
  }

  /// The state of the run that is restored.
  private static State restored() {
    Map<String, Memory> memories = new HashMap<>();
    values(3)
        .forEach(
            (name, value) ->
                memories.put(name, new Memory(BEFORE, Map.of("momentum_buffer", value))));
    return new State(BEFORE, values(7), memories);
  }

  private static final class Trainer {
    private final SimulatedStore store;
    private final SimulatedNode node;
    private final SlotClient client;
    private final StateClient states;
    private final List<State> read = new ArrayList<>();
    private final boolean isReader;
    private int pushes;
    private Throwable error;

    Trainer(SimulatedStore store, String name, boolean isReader) {
      this.store = store;
      this.isReader = isReader;
      node = store.simulation.start(name);
      client =
          new SlotClient(
              store.life(name), SETTINGS, values(0), new TrainerCalls(store, node), LIMIT);
      states = new StateClient(client);
      client
          .join(values(0))
          .compose(_ -> states.restore(restored(), SPEC))
          .onSuccess(_ -> next())
          .onFailure(failure -> error = failure);
    }

    private void next() {
      if (isReader) {
        client
            .pull()
            .compose(_ -> states.pull())
            .onSuccess(
                state -> {
                  read.add(state);
                  pushAfterAWhile();
                })
            .onFailure(failure -> error = failure);
      } else {
        pushAfterAWhile();
      }
    }

    private void pushAfterAWhile() {
      if (pushes < PUSHES) {
        node.after(Duration.ofMillis(store.simulation.random().nextInt(20)), this::push);
      }
    }

    private void push() {
      client
          .push(SPEC, values(++pushes), 1)
          .onSuccess(_ -> next())
          .onFailure(failure -> error = failure);
    }
  }

  /// Returns the values after each step of the same run without servers, and their momentum.
  private static List<State> expected() {
    Map<String, Tensor> parameters = new TreeMap<>();
    values(7).forEach((name, value) -> parameters.put(name, Tensor.parameterOf(value)));
    Optimizer optimizer = SPEC.over(parameters.values());
    var start = restored();
    optimizer.load(
        new OptimizerState(
            List.of(
                new OptimizerState.Group(
                    SPEC, null, PARAMETERS.stream().map(start.memories()::get).toList()))));
    List<State> expected = new ArrayList<>();
    for (int step = 0; step <= PUSHES; step++) {
      if (step > 0) {
        Map<String, Tensor> gradients = values(step);
        parameters.forEach((name, parameter) -> parameter.setGrad(gradients.get(name)));
        optimizer.step();
      }
      Map<String, Tensor> values = new TreeMap<>();
      parameters.forEach((name, parameter) -> values.put(name, parameter.detach()));
      Map<String, Memory> memories = new HashMap<>();
      List<Memory> all = optimizer.state().groups().getFirst().memories();
      IntStream.range(0, all.size()).forEach(i -> memories.put(PARAMETERS.get(i), all.get(i)));
      expected.add(new State(BEFORE + step, values, memories));
    }
    return expected;
  }

  private static String text(State state) {
    StringBuilder text = new StringBuilder("after " + state.steps());
    for (String name : PARAMETERS) {
      text.append(' ').append(Arrays.toString(state.values().get(name).values()));
      Memory memory = state.memories().get(name);
      text.append(memory.steps());
      memory.tensors().forEach((key, tensor) -> text.append(Arrays.toString(tensor.values())));
    }
    return text.toString();
  }

  @Test
  void aRestoredRunContinuesWithTheSameBitsThoughServersDie() {
    List<String> expected = expected().stream().map(StateClientTest::text).toList();
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      SimulatedStore store = new SimulatedStore(seed, new SlotMap.Settings(3, 1));
      List<Trainer> trainers =
          IntStream.range(0, 3).mapToObj(i -> new Trainer(store, "trainer" + i, i == 0)).toList();
      store.simulation.suffer(Fault.drop(0.01), Fault.delay(0.1, Duration.ofMillis(40)));
      store.killServersInTurn(4, Duration.ofMillis(60));
      Trainer reader = trainers.getFirst();
      store.simulation.runUntil(() -> reader.read.size() > PUSHES, LIMIT);
      for (Trainer trainer : trainers) {
        assertThat(trainer.error).as("seed " + seed).isNull();
      }
      assertThat(reader.read.stream().map(StateClientTest::text))
          .as("seed " + seed)
          .isEqualTo(expected);
      boolean[] isFirst = new boolean[3];
      for (int i = 0; i < 3; i++) {
        int rank = i;
        trainers.get(i).states.isFirst().onSuccess(first -> isFirst[rank] = first);
      }
      store.simulation.runUntil(() -> isFirst[0], LIMIT);
      assertThat(isFirst).as("seed " + seed).containsExactly(true, false, false);
    }
  }

  @Test
  void aTrainerOutsideTheWorldIsNeverTheFirst() {
    SimulatedStore store = new SimulatedStore(FIRST, new SlotMap.Settings(3, 1));
    SlotClient outside = client(store, new Life("a", "server0", 0));
    SlotClient inside = client(store, store.life("trainer0"));
    List<Boolean> first = new ArrayList<>();
    outside
        .join(values(0))
        .compose(_ -> inside.join(values(0)))
        .compose(_ -> new StateClient(outside).isFirst().onSuccess(first::add))
        .compose(_ -> new StateClient(inside).isFirst().onSuccess(first::add));
    store.simulation.runUntil(() -> first.size() == 2, LIMIT);
    assertThat(first).containsExactly(false, true);
  }

  private static SlotClient client(SimulatedStore store, Life life) {
    TrainerCalls calls = new TrainerCalls(store, store.simulation.start(life.name()));
    return new SlotClient(life, SETTINGS, values(0), calls, LIMIT);
  }
}
