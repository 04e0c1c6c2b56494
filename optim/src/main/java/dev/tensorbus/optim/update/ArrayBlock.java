// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.update;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.HeapStorage;

/// A block of values from one array. All blocks of a rule fit into the L1 cache together, so that
/// each value is read from and written to memory only once.
sealed interface ArrayBlock extends Block permits FloatBlock, DoubleBlock {
  /// Creates a block of a type.
  static ArrayBlock of(DType type, int capacity) {
    return type == DType.FLOAT32 ? new FloatBlock(capacity) : new DoubleBlock(capacity);
  }

  /// Copies `length` values, starting at index `from` of a storage, to index `at` of this block.
  /// The block then ends after these values. The storage must have the block's type.
  void load(HeapStorage values, int from, int at, int length);

  /// Copies `length` values, starting at index `at` of this block, to index `from` of a storage of
  /// the same type.
  void store(HeapStorage values, int from, int at, int length);
}
