// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import org.jspecify.annotations.Nullable;

/// Where the values of a tensor lie, and of all tensors that share them, until one of them frees
/// it.
final class Storage {
  private volatile @Nullable Object array;

  /// @param array belongs to the tensors from now on
  Storage(Object array) {
    this.array = array;
  }

  /// The array, or null if it was freed.
  @Nullable Object array() {
    return array;
  }

  /// Gives the array back for others, once.
  synchronized void free() {
    Object freed = array;
    array = null;
    if (freed != null) {
      FreedArrays.add(freed);
    }
  }
}
