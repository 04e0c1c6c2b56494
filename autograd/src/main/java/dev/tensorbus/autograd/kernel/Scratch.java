// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

import dev.tensorbus.autograd.kernel.shape.Slice;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/// A pool of arrays for intermediate values. Arrays are reused because the first access to a new
/// one costs more than the arithmetic on it. A borrowed array still contains the values of its last
/// borrower.
///
/// The pool is not thread-local: callers may be virtual threads, each of which would retain an
/// array.
public final class Scratch {
  /// Arrays of more than 2^22 values are not retained.
  private static final int LARGEST_KEPT = 22;

  private static final Pool<float[]> FLOATS =
      new Pool<>(length -> new float[length + CacheLine.BYTES / Float.BYTES]);

  private static final Pool<double[]> DOUBLES =
      new Pool<>(length -> new double[length + CacheLine.BYTES / Double.BYTES]);

  private Scratch() {}

  /// Runs `body` with a slice of at least `length` values. If the JVM allows native calls, the
  /// slice begins at a cache line, so that no vector straddles two lines.
  public static void borrowLines(int length, Consumer<Slice<float[]>> body) {
    borrow(length, array -> body.accept(new Slice<>(array, CacheLine.firstIn(array))));
  }

  /// Like [#borrowLines], for float64.
  public static void borrowDoubleLines(int length, Consumer<Slice<double[]>> body) {
    DOUBLES.borrow(length, array -> body.accept(new Slice<>(array, CacheLine.firstIn(array))));
  }

  /// Runs `body` with an array of at least `length` values.
  public static void borrow(int length, Consumer<float[]> body) {
    FLOATS.borrow(length, body);
  }

  /// The pooled arrays of one type.
  ///
  /// @param create creates an array of a given length plus one cache line, for alignment
  /// @param idle the free arrays, indexed by the binary logarithm of that length
  private record Pool<A>(IntFunction<A> create, List<ConcurrentLinkedDeque<A>> idle) {
    Pool(IntFunction<A> create) {
      this(
          create,
          IntStream.rangeClosed(0, LARGEST_KEPT)
              .mapToObj(power -> new ConcurrentLinkedDeque<A>())
              .toList());
    }

    void borrow(int length, Consumer<A> body) {
      int power = 32 - Integer.numberOfLeadingZeros(Math.max(length, 1) - 1);
      if (power > LARGEST_KEPT) {
        body.accept(create.apply(length));
        return;
      }
      // Last in, first out: the array used most recently is still in the cache.
      A lent = idle.get(power).pollFirst();
      A array = lent == null ? create.apply(1 << power) : lent;
      try {
        body.accept(array);
      } finally {
        idle.get(power).addFirst(array);
      }
    }
  }
}
