// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import java.lang.ref.WeakReference;
import java.lang.reflect.Array;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/// Large arrays that tensors gave back, for tensors to come: the last one first, since it is still
/// in a cache. What nobody takes goes with the next garbage collection.
final class FreedArrays {
  /// A smaller one is made as fast as it is found.
  private static final int SMALLEST_BYTES = 1 << 16;

  /// Of how many to know. The ones that were given back first are forgotten.
  private static final int MOST = 64;

  private static final Deque<WeakReference<Object>> IDLE = new ArrayDeque<>();

  private FreedArrays() {}

  private static boolean isLarge(DType type, int length) {
    return (long) length * type.bytes() >= SMALLEST_BYTES;
  }

  /// Takes an array that nobody reads or writes any more.
  static void add(Object array) {
    if (!isLarge(DType.of(array), Array.getLength(array))) {
      return;
    }
    synchronized (IDLE) {
      IDLE.addFirst(new WeakReference<>(array));
      if (IDLE.size() > MOST) {
        IDLE.removeLast();
      }
    }
  }

  /// An array of this type and length with the values that it had, or null if there is none.
  static @Nullable Object take(DType type, int length) {
    if (!isLarge(type, length)) {
      return null;
    }
    synchronized (IDLE) {
      for (Iterator<WeakReference<Object>> idle = IDLE.iterator(); idle.hasNext(); ) {
        Object array = idle.next().get();
        boolean fits = array != null && DType.of(array) == type && Array.getLength(array) == length;
        if (array == null || fits) {
          idle.remove();
        }
        if (fits) {
          return array;
        }
      }
    }
    return null;
  }
}
