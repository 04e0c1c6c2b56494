// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

import dev.tensorbus.autograd.kernel.shape.Slice;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/// Lends arrays for intermediate values and takes them back: the first touch of a fresh array costs
/// more than the arithmetic on it. An array holds values of its last borrower.
///
/// Not a thread-local: callers may be virtual threads, each of which would keep its own.
public final class Scratch {
  /// Arrays of more than 2^22 values (16 MiB) are left to the garbage collector.
  private static final int LARGEST_KEPT = 22;

  /// The free arrays, by the power of two that they hold.
  private static final List<ConcurrentLinkedDeque<float[]>> IDLE =
      IntStream.rangeClosed(0, LARGEST_KEPT)
          .mapToObj(power -> new ConcurrentLinkedDeque<float[]>())
          .toList();

  private Scratch() {}

  /// Runs `body` with at least `length` values of which the first begins a cache line, if the JVM
  /// says where one does: no vector straddles two lines there.
  public static void borrowLines(int length, Consumer<Slice<float[]>> body) {
    borrow(length, array -> body.accept(new Slice<>(array, CacheLine.firstIn(array))));
  }

  /// Runs `body` with an array of at least `length` values.
  public static void borrow(int length, Consumer<float[]> body) {
    int power = 32 - Integer.numberOfLeadingZeros(Math.max(length, 1) - 1);
    if (power > LARGEST_KEPT) {
      body.accept(newArray(length));
      return;
    }
    // Last in, first out: the array used last is still in the cache.
    float[] lent = IDLE.get(power).pollFirst();
    float[] array = lent == null ? newArray(1 << power) : lent;
    try {
      body.accept(array);
    } finally {
      IDLE.get(power).addFirst(array);
    }
  }

  /// With room to begin where a cache line does.
  private static float[] newArray(int length) {
    return new float[length + CacheLine.FLOATS];
  }
}
