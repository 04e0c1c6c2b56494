// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.update.TensorUpdate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The updates of all unfrozen parameters in the next step, by operations. Parameters of one type
/// with the same settings and number of steps share their numbers.
final class TensorUpdates {
  private final List<Update> updates = new ArrayList<>();
  private final Map<Key, TensorUpdate.Numbers> numbers = new LinkedHashMap<>();

  private record Update(ParameterState state, OptimizerSpec spec, Key key) {}

  private record Key(OptimizerSpec spec, long steps, DType type) {}

  /// Returns the updates of an optimizer's next step.
  static TensorUpdates of(Optimizer optimizer) {
    TensorUpdates all = new TensorUpdates();
    optimizer.forEachLearned(all::add);
    return all;
  }

  private void add(OptimizerSpec spec, ParameterState state) {
    Key key = new Key(spec, state.steps(), state.parameter().dtype());
    updates.add(new Update(state, spec, key));
    numbers.computeIfAbsent(
        key, _ -> TensorUpdate.Numbers.of(state.rule(spec), spec.memory().keySet()));
  }

  /// Returns the parameters.
  List<Tensor> parameters() {
    return updates.stream().map(update -> update.state().parameter()).toList();
  }

  /// Returns the numbers, one tensor for the parameters that share them.
  List<Tensor> numbers() {
    List<Tensor> tensors = new ArrayList<>();
    numbers.forEach(
        (key, found) -> {
          double[] values = found.values().stream().mapToDouble(Double::doubleValue).toArray();
          tensors.add(Tensor.of(values).to(key.type()));
        });
    return tensors;
  }

  /// Describes the operations: for each parameter, which numbers it uses, and for each of those,
  /// the operations that use them.
  Object operations() {
    List<Key> keys = List.copyOf(numbers.keySet());
    return List.of(
        updates.stream().map(update -> keys.indexOf(update.key())).toList(),
        numbers.values().stream().map(TensorUpdate.Numbers::operations).toList());
  }

  /// Runs the updates.
  ///
  /// @param gradients one for each parameter; null leaves a parameter as it is
  /// @param given tensors as [#numbers] returns them
  void run(List<@Nullable Tensor> gradients, List<Tensor> given) {
    Map<Key, List<Tensor>> scalars = new LinkedHashMap<>();
    for (Key key : numbers.keySet()) {
      Tensor all = given.get(scalars.size());
      List<Tensor> each = new ArrayList<>();
      for (int i = 0; i < all.shape().size(0); i++) {
        each.add(all.select(0, i));
      }
      scalars.put(key, each);
    }
    for (int i = 0; i < updates.size(); i++) {
      Update update = updates.get(i);
      Tensor gradient = gradients.get(i);
      if (gradient != null) {
        List<Tensor> with = Objects.requireNonNull(scalars.get(update.key()));
        update.state().stepByOperations(update.spec(), gradient.detach(), with);
      }
    }
  }
}
