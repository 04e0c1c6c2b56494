// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import org.jspecify.annotations.Nullable;

/// Where the values of a tensor lie, and of all tensors that share them, until one of them frees
/// it.
final class Storage {
  private volatile @Nullable Object array;

  private Storage(@Nullable Object array) {
    this.array = array;
  }

  /// @param array belongs to the tensors from now on
  static Storage of(Object array) {
    return new Storage(array);
  }

  /// One that has been freed.
  static Storage freed() {
    return new Storage(null);
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
