// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.update;

import dev.tensorbus.autograd.RowBlocks;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.SparseRows;
import dev.tensorbus.autograd.Tensor;
import java.util.List;
import java.util.Map;

/// Updates the arrays of one parameter by a rule, block by block: all of them, or the rows that a
/// sparse gradient has. It sums up several gradients on the way, so that no array of sums is made.
/// Values go to new arrays, since readers share the old ones. The state changes in its place.
public final class BlockwiseUpdate {
  /// Adam has five blocks on the way: 20 KiB of float32, of the 32 or 48 KiB next to the core.
  private static final int BLOCK = 1024;

  private final UpdateRule rule;
  private final List<Object> gradients;
  private final Blocks blocks;
  private final List<Memory> memories;

  /// An array of the state, and the block through which it goes.
  private record Memory(Object array, Block block) {}

  /// Where a part of the parameter lies: from `at` on in its values, present and next.
  private record Part(Object values, Object next, int at) {}

  private BlockwiseUpdate(
      UpdateRule rule,
      Tensor values,
      int length,
      List<Tensor> gradients,
      Map<String, Object> state) {
    this.rule = rule;
    this.gradients = gradients.stream().map(Tensor::storage).toList();
    this.blocks = new Blocks(values.dtype(), Math.min(BLOCK, length), state.keySet());
    this.memories =
        state.entrySet().stream()
            .map(entry -> new Memory(entry.getValue(), blocks.state(entry.getKey())))
            .toList();
  }

  /// The next version of `values` by the sum of gradients of equal shape and type, one at least.
  ///
  /// @param state arrays by name, as long as the values and of their type
  public static Tensor all(
      UpdateRule rule, Tensor values, List<Tensor> gradients, Map<String, Object> state) {
    int elements = values.shape().elements();
    Object next = values.dtype().newArray(elements);
    new BlockwiseUpdate(rule, values, elements, gradients, state)
        .run(new Part(values.storage(), next, 0), 0, 0, elements);
    return Tensor.ofStorage(values.shape(), next);
  }

  /// The next version of `values`, of which only these rows change.
  ///
  /// @param gradient of equal shape and type, each row at most once, in ascending order
  /// @param state arrays by name, as long as the values and of their type
  public static Tensor rows(
      UpdateRule rule, Tensor values, SparseRows gradient, Map<String, Object> state) {
    Shape shape = values.shape();
    int columns = shape.elements() / Math.max(1, shape.size(0));
    BlockwiseUpdate update =
        new BlockwiseUpdate(rule, values, columns, List.of(gradient.values()), state);
    int[] rows = gradient.rows();
    return Tensor.ofLayout(
        RowBlocks.of(values)
            .changed(
                rows,
                (i, row, at) ->
                    update.run(new Part(row, row, at), rows[i] * columns, i * columns, columns)));
  }

  /// Updates a part of so many values.
  ///
  /// @param stateAt where it begins in the state
  /// @param gradientAt where it begins in the gradients
  private void run(Part part, int stateAt, int gradientAt, int length) {
    for (int done = 0; done < length; done += BLOCK) {
      int count = Math.min(BLOCK, length - done);
      blocks.values().load(part.values, part.at + done, count);
      blocks.loadSum(gradients, gradientAt + done, count);
      for (Memory memory : memories) {
        memory.block.load(memory.array, stateAt + done, count);
      }
      rule.update(blocks);
      blocks.values().store(part.next, part.at + done);
      for (Memory memory : memories) {
        memory.block.store(memory.array, stateAt + done);
      }
    }
  }
}
