// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.update;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.SparseRows;
import dev.tensorbus.autograd.Tensor;
import java.util.List;
import java.util.Map;

/// Updates the arrays of one parameter by a rule, block by block: all of them, or the rows that a
/// sparse gradient has. It sums up several gradients on the way, so that no array of sums is made.
/// Values go to a new array, since readers share the old one. The state changes in its place.
public final class BlockwiseUpdate {
  /// Adam has five blocks on the way: 20 KiB of float32, of the 32 or 48 KiB next to the core.
  private static final int BLOCK = 1024;

  private final UpdateRule rule;
  private final Map<String, Object> state;
  private final List<Object> gradients;
  private final Object next;
  private final Blocks blocks;

  private BlockwiseUpdate(
      UpdateRule rule,
      Map<String, Object> state,
      DType dtype,
      Object next,
      int length,
      List<Tensor> gradients) {
    this.rule = rule;
    this.state = state;
    this.gradients = gradients.stream().map(Tensor::storage).toList();
    this.next = next;
    this.blocks = new Blocks(dtype, Math.min(BLOCK, length), state.keySet());
  }

  /// The next version of `values` by the sum of gradients of equal shape and type, one at least.
  ///
  /// @param state arrays by name, as long as the values and of their type
  public static Tensor all(
      UpdateRule rule, Tensor values, List<Tensor> gradients, Map<String, Object> state) {
    int elements = values.shape().elements();
    Object next = values.dtype().newArray(elements);
    BlockwiseUpdate update =
        new BlockwiseUpdate(rule, state, values.dtype(), next, elements, gradients);
    update.run(values.storage(), 0, 0, elements);
    return Tensor.ofStorage(values.shape(), update.next);
  }

  /// The next version of `values`, of which only these rows change.
  ///
  /// @param gradient of equal shape and type, each row at most once
  /// @param state arrays by name, as long as the values and of their type
  public static Tensor rows(
      UpdateRule rule, Tensor values, SparseRows gradient, Map<String, Object> state) {
    Shape shape = values.shape();
    int columns = shape.elements() / Math.max(1, shape.size(0));
    Object next = DType.copyOf(values.storage());
    BlockwiseUpdate update =
        new BlockwiseUpdate(rule, state, values.dtype(), next, columns, List.of(gradient.values()));
    int[] rows = gradient.rows();
    for (int i = 0; i < rows.length; i++) {
      update.run(update.next, rows[i] * columns, i * columns, columns);
    }
    return Tensor.ofStorage(shape, update.next);
  }

  /// Updates a stretch of the arrays.
  private void run(Object values, int from, int gradientFrom, int length) {
    for (int done = 0; done < length; done += BLOCK) {
      int count = Math.min(BLOCK, length - done);
      int at = from + done;
      blocks.values().load(values, at, count);
      blocks.loadSum(gradients, gradientFrom + done, count);
      state.forEach((name, array) -> blocks.state(name).load(array, at, count));
      rule.update(blocks);
      blocks.values().store(next, at);
      state.forEach((name, array) -> blocks.state(name).store(array, at));
    }
  }
}
