// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.optim.OptimizerState;
import dev.tensorbus.optim.ParameterGroup;
import dev.tensorbus.optim.server.ParameterStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A group of parameters that live on parameter servers.
///
/// @param store the trainer's view of them
/// @param local the parameters with the settings of this trainer's optimizer
/// @param remote the parameters with the settings of the servers' optimizer, which are the same
///     unless the trainer takes local steps
record StoreGroup(
    ParameterStore<?> store, ParameterGroup<Tensor> local, ParameterGroup<Tensor> remote) {
  private static StoreGroup of(ParameterStore<?> store) {
    List<Tensor> parameters = store.model().parameters();
    ParameterGroup<Tensor> local = new ParameterGroup<>(store.optimizer(), parameters);
    return new StoreGroup(
        store,
        local,
        store.localOptimizer().isEmpty()
            ? local
            : new ParameterGroup<>(store.serverOptimizer(), parameters));
  }

  /// Returns the groups of a model's parameters.
  ///
  /// @throws IllegalArgumentException if they are not the parts of the model, or cannot be trained
  ///     together
  static List<StoreGroup> of(Layer model, List<? extends ParameterStore<?>> stores) {
    requireParts(model, stores);
    if (stores.size() > 1) {
      stores.forEach(StoreGroup::requirePlain);
    }
    return stores.stream().map(StoreGroup::of).toList();
  }

  private static void requireParts(Layer model, List<? extends ParameterStore<?>> stores) {
    Map<Tensor, List<String>> groups = new LinkedHashMap<>();
    for (ParameterStore<?> store : stores) {
      store
          .model()
          .parameters()
          .forEach(
              parameter ->
                  groups.computeIfAbsent(parameter, _ -> new ArrayList<>()).add(store.group()));
    }
    model
        .namedParameters()
        .forEach(
            (name, parameter) -> {
              List<String> in = groups.getOrDefault(parameter, List.of());
              if (in.size() > 1 || (in.isEmpty() && parameter.requiresGrad())) {
                throw new IllegalArgumentException(
                    "trainer: parameter %s is in %s; join each store with another part of the model"
                        .formatted(name, in.isEmpty() ? "no group" : "the groups " + in));
              }
              groups.remove(parameter);
            });
    if (!groups.isEmpty()) {
      throw new IllegalArgumentException(
          "trainer: the group %s has parameters that the model lacks; join its store with a part of"
                  .formatted(groups.values().iterator().next().getFirst())
              + " the model");
    }
  }

  /// Checks that each trainer pushes once in a step.
  private static void requirePlain(ParameterStore<?> store) {
    if (store.shards() > 0 || store.localOptimizer().isPresent()) {
      String what = store.shards() > 0 ? "shards" : "local steps";
      throw new IllegalArgumentException(
          "trainer: the group %s has %s, and a model of several groups cannot; join without them"
              .formatted(store.group(), what));
    }
  }

  /// Fetches the state of the servers' optimizer, and the values that belong to it.
  ///
  /// @throws IllegalStateException if other trainers have taken steps meanwhile
  OptimizerState.Group fetch() {
    OptimizerState state = store.pullState().await();
    return OptimizerState.Group.of(remote, state.groups().getFirst().memories());
  }

  /// Lets the trainers begin with this model's values and a state of an earlier run.
  void restore(OptimizerState.Group state, long steps) {
    store.restore(new OptimizerState(List.of(state)), steps).await();
  }
}
