// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.client;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.OptimizerState;
import dev.tensorbus.optim.OptimizerState.Memory;
import dev.tensorbus.optim.server.consistency.Consistency;
import dev.tensorbus.optim.server.replica.RestoreRequest;
import dev.tensorbus.optim.server.replica.SlotState;
import dev.tensorbus.optim.server.replica.StateRequest;
import dev.tensorbus.optim.server.slot.Life;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/// What a trainer needs of a group to write checkpoints and to resume from them: the values with
/// the optimizer's state, and who of the trainers is the first.
///
/// Not thread-safe: a trainer makes one request after another.
public final class StateClient {
  private static final String BSP = new Consistency.Bsp(0).toString();

  private final SlotClient client;

  /// Values of a group, and the state of their optimizer.
  ///
  /// @param steps the number of steps that the values contain
  /// @param values the values by parameter
  /// @param memories the optimizer's state by parameter
  public record State(long steps, Map<String, Tensor> values, Map<String, Memory> memories) {}

  /// @param client a client that has joined the group
  public StateClient(SlotClient client) {
    this.client = client;
  }

  /// Returns whether this trainer is the first of the present trainers of the world, in order of
  /// their names.
  public Future<Boolean> isFirst() {
    Set<Life> first = ConcurrentHashMap.newKeySet();
    return client
        .ask(
            List.of(Collections.min(client.pieces().slots())),
            (server, slots) ->
                client
                    .calls()
                    .trainers(server, request(slots))
                    .map(
                        answer -> {
                          answer.trainers().stream()
                              .filter(Life::isWorker)
                              .findFirst()
                              .ifPresent(first::add);
                          return answer.answer();
                        }),
            _ -> {})
        .map(_ -> first.contains(client.self()));
  }

  private StateRequest request(Collection<Integer> slots) {
    return new StateRequest(client.settings().name(), Set.copyOf(slots));
  }

  /// Fetches the current values, and the optimizer's state that belongs to them. If the trainers
  /// step together, both are as of one step: that of the values which this trainer has pulled.
  ///
  /// @return a future that fails if the trainers have gone on without this one
  public Future<State> pull() {
    Map<Integer, SlotState> states = new ConcurrentHashMap<>();
    Set<String> consistencies = ConcurrentHashMap.newKeySet();
    return client
        .ask(
            client.pieces().slots(),
            (server, slots) ->
                client
                    .calls()
                    .state(server, request(slots))
                    .map(
                        answer -> {
                          states.putAll(answer.states());
                          consistencies.addAll(answer.consistencies());
                          return answer.answer();
                        }),
            _ -> {})
        .map(_ -> join(states, consistencies));
  }

  private State join(Map<Integer, SlotState> states, Set<String> consistencies) {
    Map<Integer, Long> versions = new TreeMap<>();
    Map<String, Tensor> values = new HashMap<>();
    Map<String, Memory> memories = new HashMap<>();
    states.forEach(
        (slot, state) -> {
          versions.put(slot, state.version());
          values.putAll(state.values());
          List<Memory> all = state.optimizer().groups().getFirst().memories();
          List<String> names = List.copyOf(state.values().keySet());
          for (int i = 0; i < names.size(); i++) {
            memories.put(names.get(i), all.get(i));
          }
        });
    if (consistencies.equals(Set.of(BSP)) && !versions.equals(client.versions())) {
      throw new IllegalStateException(
          "\"%s\": the trainers have gone on while the state of a step was read; try again after the"
                  .formatted(client.settings().name())
              + " next step");
    }
    Map<String, Tensor> joined = new HashMap<>();
    Map<String, Memory> joinedMemories = new HashMap<>();
    for (String parameter : client.pieces().parameters()) {
      joined.put(parameter, client.pieces().join(parameter, values));
      joinedMemories.put(parameter, client.pieces().joinMemories(parameter, memories));
    }
    return new State(Collections.max(versions.values()) - 1, joined, joinedMemories);
  }

  /// Begins with the state of an earlier run, unless the trainers have begun already, or another
  /// one has restored a newer state. The first slot decides; a trainer that finds there the same
  /// number of steps completes what another one may have left undone.
  ///
  /// @param optimizer the optimizer's settings
  /// @return a future that fails if the trainers have begun without the state
  public Future<Void> restore(State state, OptimizerSpec optimizer) {
    int first = Collections.min(client.pieces().slots());
    return restore(List.of(first), state, optimizer)
        .compose(
            steps ->
                steps > state.steps()
                    ? Future.succeededFuture(steps)
                    : restore(client.pieces().slots(), state, optimizer))
        .compose(
            steps -> {
              if (steps < state.steps()) {
                throw new IllegalStateException(
                    "\"%s\" has taken %d steps, but the checkpoint of this trainer %d; let all trainers"
                            .formatted(client.settings().name(), steps, state.steps())
                        + " resume from the same folder before any of them begins");
              }
              client.forget();
              return client.rejoin(); // with the clocks of that run
            });
  }

  /// Returns the lowest number of steps of the slots afterwards.
  private Future<Long> restore(Collection<Integer> some, State state, OptimizerSpec optimizer) {
    Map<Integer, Long> versions = new ConcurrentHashMap<>();
    return client
        .ask(
            some,
            (server, slots) ->
                client
                    .calls()
                    .restore(
                        server,
                        new RestoreRequest(
                            client.settings().name(),
                            SlotClient.bySlot(slots, slot -> cut(slot, state, optimizer)))),
            versions::putAll)
        .map(_ -> Collections.min(versions.values()) - 1);
  }

  private SlotState cut(int slot, State state, OptimizerSpec optimizer) {
    List<Memory> memories = client.pieces().cutMemories(slot, state.memories());
    return new SlotState(
        state.steps() + 1,
        client.pieces().cut(slot, state.values()),
        new OptimizerState(List.of(new OptimizerState.Group(optimizer, null, memories))));
  }
}
