// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.update;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.HeapStorage;
import dev.tensorbus.autograd.KernelThreads;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.SparseRows;
import dev.tensorbus.autograd.TableVersion;
import dev.tensorbus.autograd.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Updates the arrays of one parameter block by block: all values, or only the rows of a sparse
/// gradient. Adds up several gradients in the same pass, without an array for their sum. Readers of
/// the old values are not disturbed: [#all] writes to a new array, [#rows] to a new version of the
/// table. The state is updated in place.
public final class BlockwiseUpdate {
  /// Number of values in a block. Adam uses five blocks, 20 KiB of float32, which fit into an L1
  /// cache of 32 or 48 KiB.
  private static final int BLOCK = 1024;

  /// An update of at least this many values (1 MiB of float32) takes longer than starting a thread.
  public static final int LARGE = 1 << 18;

  private final UpdateRule rule;
  private final List<HeapStorage> gradients;
  private final ArrayBlock values;
  private final ArrayBlock gradient;

  /// Holds a gradient that is added to the others.
  private final ArrayBlock next;

  private final List<Memory> memories = new ArrayList<>();
  private final Blocks blocks;

  /// The values of one state tensor, and the block into which they are loaded.
  private record Memory(HeapStorage values, ArrayBlock block) {}

  private BlockwiseUpdate(
      UpdateRule rule,
      Tensor values,
      int capacity,
      List<Tensor> gradients,
      Map<String, HeapStorage> state) {
    this.rule = rule;
    this.gradients = gradients.stream().map(Tensor::heap).toList();
    DType type = values.dtype();
    this.values = ArrayBlock.of(type, capacity);
    this.gradient = ArrayBlock.of(type, capacity);
    this.next = gradients.size() > 1 ? ArrayBlock.of(type, capacity) : gradient;
    Map<String, ArrayBlock> loaded = new HashMap<>();
    state.forEach(
        (name, storage) -> {
          ArrayBlock block = ArrayBlock.of(type, capacity);
          loaded.put(name, block);
          memories.add(new Memory(storage, block));
        });
    this.blocks = new Blocks(this.values, gradient, loaded, () -> ArrayBlock.of(type, capacity));
  }

  /// Loads the sum of the gradients into the gradient block.
  private void loadSum(int from, int count) {
    gradient.load(gradients.getFirst(), from, 0, count);
    for (HeapStorage other : gradients.subList(1, gradients.size())) {
      next.load(other, from, 0, count);
      gradient.addScaled(next, 1);
    }
  }

  /// Returns the values after an update with the sum of one or more gradients of the same shape and
  /// type. A large update runs on several threads.
  ///
  /// @param state storages by name, each with the length and type of the values
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

  /// Returns the values after an update of the rows for which the gradient has values.
  ///
  /// @param gradient a gradient of the same shape and type, with unique row indices in ascending
  ///     order
  /// @param state storages by name, each with the length and type of the values
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
  /// @param first index of the first of these rows among all changed rows; `before` and the
  ///     gradient contain only the changed rows
  private void run(HeapStorage before, HeapStorage after, int[] rows, int first, int columns) {
    int at = first * columns;
    int count = rows.length * columns;
    values.load(before, at, 0, count);
    for (Memory memory : memories) {
      for (int i = 0; i < rows.length; i++) {
        memory.block.load(memory.values, rows[i] * columns, i * columns, columns);
      }
    }
    loadSum(at, count);
    rule.update(blocks);
    values.store(after, 0, 0, count);
    for (Memory memory : memories) {
      for (int i = 0; i < rows.length; i++) {
        memory.block.store(memory.values, rows[i] * columns, i * columns, columns);
      }
    }
  }

  /// Updates the values from index `first` (inclusive) to `end` (exclusive).
  private void run(HeapStorage before, HeapStorage after, int first, int end) {
    for (int at = first; at < end; at += BLOCK) {
      int count = Math.min(BLOCK, end - at);
      values.load(before, at, 0, count);
      for (Memory memory : memories) {
        memory.block.load(memory.values, at, 0, count);
      }
      loadSum(at, count);
      rule.update(blocks);
      values.store(after, at, 0, count);
      for (Memory memory : memories) {
        memory.block.store(memory.values, at, 0, count);
      }
    }
  }
}
