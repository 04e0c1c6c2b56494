// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import dev.tensorbus.autograd.HeapStorage;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.SparseRows;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.update.BlockwiseUpdate;
import dev.tensorbus.optim.update.GradientChange;
import dev.tensorbus.optim.update.UpdateRule;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The optimizer state of one parameter, guarded by the parameter's lock.
final class ParameterState {
  private final Tensor parameter;
  private final Map<String, HeapStorage> memory = new TreeMap<>();
  private long steps;

  ParameterState(Tensor parameter) {
    this.parameter = parameter;
  }

  Tensor parameter() {
    return parameter;
  }

  /// Updates the parameter with the sum of one or more gradients.
  void step(OptimizerSpec spec, List<Tensor> gradients, GradientChange change) {
    boolean hasSparse = gradients.stream().anyMatch(gradient -> gradient.sparseRows() != null);
    List<Tensor> terms =
        hasSparse ? List.of(gradients.stream().reduce(Tensor::add).orElseThrow()) : gradients;
    parameter.replace(values -> next(spec, values, terms, change));
  }

  /// Returns whether a gradient has the parameter's shape and type.
  boolean fits(Tensor gradient) {
    return gradient.shape().equals(parameter.shape()) && gradient.dtype() == parameter.dtype();
  }

  /// @throws ShapeException if a gradient has a different shape or type
  void requireFit(Tensor gradient) {
    if (!fits(gradient)) {
      throw new ShapeException(
          "step",
          "gradient %s %s does not fit parameter %s %s"
              .formatted(gradient.dtype(), gradient.shape(), parameter.dtype(), parameter.shape()));
    }
  }

  private Tensor next(
      OptimizerSpec spec, Tensor values, List<Tensor> gradients, GradientChange change) {
    SparseRows rows = gradients.getFirst().sparseRows();
    @Nullable UpdateRule rowRule = rows == null ? null : spec.rowRule(steps + 1);
    UpdateRule rule = rowRule == null ? spec.rule(steps + 1) : rowRule;
    spec.memory().forEach((name, first) -> memory.computeIfAbsent(name, _ -> filled(first)));
    Tensor next =
        rows == null || rowRule == null
            ? BlockwiseUpdate.all(change.before(rule), values, gradients, memory)
            : BlockwiseUpdate.rows(change.before(rule), values, rows.coalesced(), memory);
    steps++;
    return next;
  }

  private HeapStorage filled(double number) {
    return HeapStorage.filled(parameter.dtype(), parameter.shape().elements(), number);
  }

  /// Returns a copy of the state.
  OptimizerState.Memory state() {
    Map<String, Tensor> tensors = new TreeMap<>();
    long[] present = new long[1];
    locked(
        () -> {
          present[0] = steps;
          memory.forEach((name, values) -> tensors.put(name, tensor(values.copy())));
        });
    return new OptimizerState.Memory(present[0], tensors);
  }

  /// Restores a state.
  void load(OptimizerState.Memory state) {
    locked(
        () -> {
          steps = state.steps();
          memory.clear();
          state.tensors().forEach((name, tensor) -> memory.put(name, tensor.heap().copy()));
        });
  }

  /// Runs an action under the parameter's lock by replacing the values with themselves.
  private void locked(Runnable action) {
    parameter.replace(
        values -> {
          action.run();
          return values;
        });
  }

  private Tensor tensor(HeapStorage values) {
    return Tensor.ofStorage(parameter.shape(), values);
  }
}
