// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import dev.tensorbus.autograd.HeapStorage;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.SparseRows;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.update.BlockwiseUpdate;
import dev.tensorbus.optim.update.GradientChange;
import dev.tensorbus.optim.update.TensorUpdate;
import dev.tensorbus.optim.update.UpdateRule;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The optimizer state of one parameter, guarded by the parameter's lock.
final class ParameterState {
  private final Tensor parameter;
  private final Map<String, Tensor> memory = new TreeMap<>();
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
    Map<String, HeapStorage> storages = new TreeMap<>();
    memory(spec).forEach((name, tensor) -> storages.put(name, own(tensor)));
    Tensor next =
        rows == null || rowRule == null
            ? BlockwiseUpdate.all(change.before(rule), values, gradients, storages)
            : BlockwiseUpdate.rows(change.before(rule), values, rows.coalesced(), storages);
    steps++;
    return next;
  }

  /// Returns the state tensors by name, after creating missing ones. A step changes their arrays in
  /// place.
  Map<String, Tensor> memory(OptimizerSpec spec) {
    spec.memory()
        .forEach(
            (name, first) ->
                memory.computeIfAbsent(
                    name, _ -> Tensor.full(parameter.shape(), parameter.dtype(), first)));
    return memory;
  }

  /// Returns an array that a step may change.
  private static HeapStorage own(Tensor tensor) {
    if (tensor.layout() != null) {
      tensor.replace(values -> Tensor.ofStorage(values.shape(), values.heap()));
    }
    return tensor.heap();
  }

  /// Returns the rule of the next step.
  UpdateRule rule(OptimizerSpec spec) {
    return spec.rule(steps + 1);
  }

  /// Returns the number of steps so far.
  long steps() {
    return steps;
  }

  /// Counts a step that other code computed.
  void countStep() {
    steps++;
  }

  /// Computes the next values and state by operations, and replaces the tensors.
  void stepByOperations(OptimizerSpec spec, Tensor gradient, List<Tensor> numbers) {
    Map<String, Tensor> present = new TreeMap<>();
    memory(spec).forEach((name, tensor) -> present.put(name, tensor.detach()));
    TensorUpdate update =
        TensorUpdate.of(rule(spec), parameter.detach(), gradient, present, numbers);
    parameter.replace(_ -> update.values());
    memory(spec).forEach((name, tensor) -> tensor.replace(_ -> update.state(name)));
  }

  /// Returns a copy of the state.
  OptimizerState.Memory state() {
    Map<String, Tensor> tensors = new TreeMap<>();
    long[] present = new long[1];
    locked(
        () -> {
          present[0] = steps;
          memory.forEach((name, tensor) -> tensors.put(name, copy(tensor)));
        });
    return new OptimizerState.Memory(present[0], tensors);
  }

  /// Restores a state.
  void load(OptimizerState.Memory state) {
    locked(
        () -> {
          steps = state.steps();
          memory.clear();
          state.tensors().forEach((name, tensor) -> memory.put(name, copy(tensor)));
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

  private static Tensor copy(Tensor tensor) {
    return Tensor.ofStorage(tensor.shape(), tensor.heap().copy());
  }
}
