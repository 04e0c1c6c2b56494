// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/// Runs the kernels of one kind, of two implementations, on the same random and edge values and
/// compares their results. Each kind has a subclass, which [KernelComparison] runs.
abstract class Comparison {
  /// Around one, two and four vectors of any width, then sizes with several blocks.
  static final int[] SIZES = {1, 3, 7, 8, 9, 15, 16, 17, 31, 64, 207, 1000};

  private static final float[] EDGES = {
    0f, -0f, Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, Float.MIN_VALUE, -1f,
  };

  /// Allowed per addition, relative to the size of what is added; 0 asks for equal bits.
  private final float tolerance;

  final Kernels expected;
  final Kernels actual;
  final long seed;
  final SplittableRandom random;

  Comparison(Kernels expected, Kernels actual, float tolerance, long seed) {
    this.expected = expected;
    this.actual = actual;
    this.tolerance = tolerance;
    this.seed = seed;
    this.random = new SplittableRandom(seed);
  }

  /// Compares at sizes around those of vectors and blocks.
  abstract void run();

  /// Compares at sizes that are large enough to be divided among threads. By itself, none.
  void runLarge() {}

  /// @param additions how many values are summed up for one
  final void compare(String what, int additions, int length, BiConsumer<Kernels, float[]> kernel) {
    // Kernels that add to their result find the same values there.
    float[] wanted = randoms(length);
    float[] got = wanted.clone();
    kernel.accept(expected, wanted);
    kernel.accept(actual, got);
    requireSame(what, additions, wanted, got);
  }

  /// The same of results that are there.
  final void requireSame(String what, int additions, float[] wanted, float[] got) {
    for (int i = 0; i < wanted.length; i++) {
      float allowed = tolerance * additions * Math.max(1f, Math.abs(wanted[i]));
      if (Float.compare(wanted[i], got[i]) != 0 && !(Math.abs(wanted[i] - got[i]) <= allowed)) {
        throw new AssertionError(
            "%s: [%d] of %d is %s, expected %s (-Dseed=%d)"
                .formatted(what, i, wanted.length, got[i], wanted[i], seed));
      }
    }
  }

  /// Float64 results, of which the comparison takes float32.
  static void rounded(float[] y, Consumer<double[]> kernel) {
    double[] exact = new double[y.length];
    kernel.accept(exact);
    for (int i = 0; i < y.length; i++) {
      y[i] = (float) exact[i];
    }
  }

  final float[] randoms(int length) {
    float[] values = new float[length];
    for (int i = 0; i < length; i++) {
      values[i] = (float) random.nextDouble(-1, 1);
    }
    return values;
  }

  final float[] edges(int length) {
    float[] values = new float[length];
    for (int i = 0; i < length; i++) {
      values[i] = EDGES[random.nextInt(EDGES.length)];
    }
    return values;
  }

  /// Values below the normal numbers.
  final float[] denormals(int length) {
    float[] values = new float[length];
    for (int i = 0; i < length; i++) {
      values[i] = (float) random.nextDouble(-1, 1) * Float.MIN_NORMAL;
    }
    return values;
  }

  /// Rows of other values with two edges in each, which may be one.
  final float[] fewEdges(int rows, int columns) {
    float[] values = randoms(rows * columns);
    for (int i = 0; i < 2 * rows; i++) {
      values[i / 2 * columns + random.nextInt(columns)] = EDGES[random.nextInt(EDGES.length)];
    }
    return values;
  }

  static float[] repeated(float[] values, int times) {
    float[] repeated = new float[values.length * times];
    for (int i = 0; i < repeated.length; i++) {
      repeated[i] = values[i % values.length];
    }
    return repeated;
  }
}
