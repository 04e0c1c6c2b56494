// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.update;

import dev.tensorbus.autograd.HeapStorage;
import dev.tensorbus.autograd.KernelThreads;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.SparseRows;
import dev.tensorbus.autograd.TableVersion;
import dev.tensorbus.autograd.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// Updates the arrays of one parameter block by block: all values, or the rows of a sparse
/// gradient. Adds several gradients in the same pass, without an array for the sum. Values are
/// written to new arrays, since readers share the old ones. The state is updated in place.
public final class BlockwiseUpdate {
  /// Adam uses five blocks: 20 KiB of float32, which fit into an L1 cache of 32 or 48 KiB.
  private static final int BLOCK = 1024;

  /// Number of values, 1 MiB of float32, whose update takes longer than starting another thread.
  public static final int LARGE = 1 << 18;

  private final UpdateRule rule;
  private final List<HeapStorage> gradients;
  private final Blocks blocks;
  private final List<Memory> memories;

  /// Values of the state, and their block.
  private record Memory(HeapStorage values, Block block) {}

  private BlockwiseUpdate(
      UpdateRule rule,
      Tensor values,
      int capacity,
      List<Tensor> gradients,
      Map<String, HeapStorage> state) {
    this.rule = rule;
    this.gradients = gradients.stream().map(Tensor::heap).toList();
    this.blocks = new Blocks(values.dtype(), capacity, state.keySet());
    this.memories =
        state.entrySet().stream()
            .map(entry -> new Memory(entry.getValue(), blocks.state(entry.getKey())))
            .toList();
  }

  /// Returns the values updated by the sum of at least one gradient of equal shape and type. Large
  /// updates run on several threads.
  ///
  /// @param state storages by name, with the length and type of the values
  public static Tensor all(
      UpdateRule rule, Tensor values, List<Tensor> gradients, Map<String, HeapStorage> state) {
    int elements = values.shape().elements();
    HeapStorage next = HeapStorage.zeros(values.dtype(), elements);
    int shares = Math.clamp(elements / LARGE, 1, KernelThreads.count());
    KernelThreads.run(
        shares,
        share ->
            new BlockwiseUpdate(rule, values, Math.min(BLOCK, elements), gradients, state)
                .run(
                    values.heap(),
                    next,
                    (int) ((long) elements * share / shares),
                    (int) ((long) elements * (share + 1) / shares)));
    return Tensor.ofStorage(values.shape(), next);
  }

  /// Returns the values with the gradient's rows updated.
  ///
  /// @param gradient of equal shape and type, with unique rows in ascending order
  /// @param state storages by name, with the length and type of the values
  public static Tensor rows(
      UpdateRule rule, Tensor values, SparseRows gradient, Map<String, HeapStorage> state) {
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

  /// Updates several rows together, so that their memory accesses overlap.
  ///
  /// @param first index of these rows among all changed rows, in whose order the values are stored
  private void run(HeapStorage before, HeapStorage next, int[] rows, int first, int columns) {
    int at = first * columns;
    int count = rows.length * columns;
    blocks.values().load(before, at, 0, count);
    for (Memory memory : memories) {
      for (int i = 0; i < rows.length; i++) {
        memory.block.load(memory.values, rows[i] * columns, i * columns, columns);
      }
    }
    blocks.loadSum(gradients, at, count);
    rule.update(blocks);
    blocks.values().store(next, 0, 0, count);
    for (Memory memory : memories) {
      for (int i = 0; i < rows.length; i++) {
        memory.block.store(memory.values, rows[i] * columns, i * columns, columns);
      }
    }
  }

  /// Updates the values from `first` to `end`, exclusive.
  private void run(HeapStorage values, HeapStorage next, int first, int end) {
    for (int at = first; at < end; at += BLOCK) {
      int count = Math.min(BLOCK, end - at);
      blocks.values().load(values, at, 0, count);
      for (Memory memory : memories) {
        memory.block.load(memory.values, at, 0, count);
      }
      blocks.loadSum(gradients, at, count);
      rule.update(blocks);
      blocks.values().store(next, at, 0, count);
      for (Memory memory : memories) {
        memory.block.store(memory.values, at, 0, count);
      }
    }
  }
}
