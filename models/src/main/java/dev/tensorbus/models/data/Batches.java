// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data;

import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/// Deals out a data set in batches, each made when it is asked for. Every iteration is one pass:
/// each picture comes once, and the last batch holds what is left.
public final class Batches implements Iterable<Batch> {
  private final Digits digits;
  private final int batchSize;
  private final Supplier<int[]> order;

  private Batches(Digits digits, int batchSize, Supplier<int[]> order) {
    if (batchSize < 1) {
      throw new IllegalArgumentException("batches: size " + batchSize + " must be 1 or more");
    }
    this.digits = digits;
    this.batchSize = batchSize;
    this.order = order;
  }

  /// Batches of pictures as they stand, for evaluation.
  public static Batches inOrder(Digits digits, int batchSize) {
    return new Batches(digits, batchSize, () -> indices(digits));
  }

  /// Batches of shuffled pictures, for training; each pass draws an order of its own from `random`.
  public static Batches shuffled(Digits digits, int batchSize, RandomGenerator random) {
    return new Batches(digits, batchSize, () -> shuffled(indices(digits), random));
  }

  private static int[] indices(Digits digits) {
    return IntStream.range(0, digits.size()).toArray();
  }

  /// Shuffles in place (Durstenfeld, "Algorithm 235: Random permutation").
  private static int[] shuffled(int[] indices, RandomGenerator random) {
    for (int last = indices.length - 1; last > 0; last--) {
      int other = random.nextInt(last + 1);
      int index = indices[last];
      indices[last] = indices[other];
      indices[other] = index;
    }
    return indices;
  }

  /// The number of batches of one pass.
  public int count() {
    return Math.ceilDiv(digits.size(), batchSize);
  }

  @Override
  public Iterator<Batch> iterator() {
    return new Pass(order.get());
  }

  private final class Pass implements Iterator<Batch> {
    private final int[] order;
    private int next;

    private Pass(int[] order) {
      this.order = order;
    }

    @Override
    public boolean hasNext() {
      return next < order.length;
    }

    @Override
    public Batch next() {
      if (!hasNext()) {
        throw new NoSuchElementException("this pass is over; iterate again for another");
      }
      int from = next;
      next = from + Math.min(batchSize, order.length - from);
      return digits.batch(Arrays.copyOfRange(order, from, next));
    }
  }
}
