// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.update;

import dev.tensorbus.autograd.KernelThreads;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.SparseRows;
import dev.tensorbus.autograd.TableVersion;
import dev.tensorbus.autograd.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// Updates the arrays of one parameter by a rule, block by block: all of them, or the rows that a
/// sparse gradient has. It sums up several gradients on the way, so that no array of sums is made.
/// Values go to new arrays, since readers share the old ones. The state changes in its place.
public final class BlockwiseUpdate {
  /// Adam has five blocks on the way: 20 KiB of float32, of the 32 or 48 KiB next to the core.
  private static final int BLOCK = 1024;

  /// So many values, 1 MiB of float32, take longer to update than another thread to begin.
  public static final int LARGE = 1 << 18;

  private final UpdateRule rule;
  private final List<Object> gradients;
  private final Blocks blocks;
  private final List<Memory> memories;

  /// An array of the state, and the block through which it goes.
  private record Memory(Object array, Block block) {}

  private BlockwiseUpdate(
      UpdateRule rule,
      Tensor values,
      int capacity,
      List<Tensor> gradients,
      Map<String, Object> state) {
    this.rule = rule;
    this.gradients = gradients.stream().map(Tensor::storage).toList();
    this.blocks = new Blocks(values.dtype(), capacity, state.keySet());
    this.memories =
        state.entrySet().stream()
            .map(entry -> new Memory(entry.getValue(), blocks.state(entry.getKey())))
            .toList();
  }

  /// The next version of `values` by the sum of gradients of equal shape and type, one at least.
  /// Several threads share a large one.
  ///
  /// @param state arrays by name, as long as the values and of their type
  public static Tensor all(
      UpdateRule rule, Tensor values, List<Tensor> gradients, Map<String, Object> state) {
    int elements = values.shape().elements();
    Object next = values.dtype().newArray(elements);
    int shares = Math.clamp(elements / LARGE, 1, KernelThreads.count());
    KernelThreads.run(
        shares,
        share ->
            new BlockwiseUpdate(rule, values, Math.min(BLOCK, elements), gradients, state)
                .run(
                    values.storage(),
                    next,
                    (int) ((long) elements * share / shares),
                    (int) ((long) elements * (share + 1) / shares)));
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
    int atATime = Math.max(1, BLOCK / Math.max(1, columns));
    BlockwiseUpdate update =
        new BlockwiseUpdate(rule, values, atATime * columns, List.of(gradient.values()), state);
    int[] rows = gradient.rows();
    return Tensor.ofLayout(
        TableVersion.of(values)
            .changed(
                rows,
                atATime,
                (first, end, before, next) ->
                    update.run(
                        before, next, Arrays.copyOfRange(rows, first, end), first, columns)));
  }

  /// Updates some rows at once. Each loop waits for the memory of all of them together.
  ///
  /// @param first of these rows among all that change, in whose order the values lie
  private void run(Object before, Object next, int[] rows, int first, int columns) {
    int at = first * columns;
    int count = rows.length * columns;
    blocks.values().load(before, at, 0, count);
    for (Memory memory : memories) {
      for (int i = 0; i < rows.length; i++) {
        memory.block.load(memory.array, rows[i] * columns, i * columns, columns);
      }
    }
    blocks.loadSum(gradients, at, count);
    rule.update(blocks);
    blocks.values().store(next, 0, 0, count);
    for (Memory memory : memories) {
      for (int i = 0; i < rows.length; i++) {
        memory.block.store(memory.array, rows[i] * columns, i * columns, columns);
      }
    }
  }

  /// Updates the values from `first` to `end`, without `end`.
  private void run(Object values, Object next, int first, int end) {
    for (int at = first; at < end; at += BLOCK) {
      int count = Math.min(BLOCK, end - at);
      blocks.values().load(values, at, 0, count);
      for (Memory memory : memories) {
        memory.block.load(memory.array, at, 0, count);
      }
      blocks.loadSum(gradients, at, count);
      rule.update(blocks);
      blocks.values().store(next, at, 0, count);
      for (Memory memory : memories) {
        memory.block.store(memory.array, at, 0, count);
      }
    }
  }
}
