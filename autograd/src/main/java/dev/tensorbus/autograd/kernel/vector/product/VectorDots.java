// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.product;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.LANES;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.SPECIES;

import dev.tensorbus.autograd.kernel.MatmulShape;
import dev.tensorbus.autograd.kernel.Parallel;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;

/// Matrix products with a thin side whose inner values lie side by side in both factors, such as
/// a matrix times a vector: each result is a dot product, added to what `c` holds. Packing would
/// cost more than it saves.
public record VectorDots(MatmulShape shape, float[] a, float[] b, float[] c) {
  /// The longest thin side.
  private static final int THIN = 3;

  /// Values of the larger factor that are worth waking a thread.
  private static final int SMALLEST_SHARE = 1 << 16;

  public static boolean suits(MatmulShape shape) {
    boolean adjacentA = !shape.transposeA() || shape.rows() == 1;
    boolean adjacentB = shape.transposeB() || shape.columns() == 1;
    return adjacentA && adjacentB && Math.min(shape.rows(), shape.columns()) <= THIN;
  }

  /// See [dev.tensorbus.autograd.kernel.Arithmetic#matmuls].
  public void run(Parallel parallel, int batch) {
    int lines = Math.max(shape.rows(), shape.columns());
    int work = Math.max(1, batch * shape.inner());
    parallel.divide(
        lines,
        Math.max(4, SMALLEST_SHARE / work),
        (first, end) -> {
          float[] lanes = new float[4 * LANES];
          for (int index = 0; index < batch; index++) {
            add(index, first, end, lanes);
          }
        });
  }

  /// Multiplies each line of the thin factor with the lines from `first` to `end` of the other.
  private void add(int index, int first, int end, float[] lanes) {
    int aStart = index * shape.rows() * shape.inner();
    int bStart = index * shape.columns() * shape.inner();
    int cStart = index * shape.rows() * shape.columns();
    if (shape.columns() > shape.rows()) {
      for (int row = 0; row < shape.rows(); row++) {
        int to = cStart + row * shape.columns();
        add(a, aStart + row * shape.inner(), b, bStart, first, end, to, 1, lanes);
      }
    } else {
      for (int column = 0; column < shape.columns(); column++) {
        int from = bStart + column * shape.inner();
        add(b, from, a, aStart, first, end, cStart + column, shape.columns(), lanes);
      }
    }
  }

  /// `c[to + line * step] += x · line` for the lines from `first` to `end`.
  private void add(
      float[] x,
      int from,
      float[] lines,
      int start,
      int first,
      int end,
      int to,
      int step,
      float[] lanes) {
    for (int line = first; line < end; line += 4) {
      int present = Math.min(4, end - line);
      dots(shape.inner(), x, from, lines, start + line * shape.inner(), present, lanes);
      for (int i = 0; i < present; i++) {
        c[to + (line + i) * step] += sum(lanes, i * LANES);
      }
    }
  }

  /// Four dot products with the same `x`, lane by lane. Of fewer lines the last one is read
  /// again.
  private static void dots(
      int inner, float[] x, int from, float[] lines, int start, int present, float[] lanes) {
    int l1 = start + Math.min(1, present - 1) * inner;
    int l2 = start + Math.min(2, present - 1) * inner;
    int l3 = start + Math.min(3, present - 1) * inner;
    FloatVector s0 = FloatVector.zero(SPECIES);
    FloatVector s1 = s0;
    FloatVector s2 = s0;
    FloatVector s3 = s0;
    int whole = SPECIES.loopBound(inner);
    for (int p = 0; p < whole; p += LANES) {
      FloatVector v = FloatVector.fromArray(SPECIES, x, from + p);
      s0 = FloatVector.fromArray(SPECIES, lines, start + p).fma(v, s0);
      s1 = FloatVector.fromArray(SPECIES, lines, l1 + p).fma(v, s1);
      s2 = FloatVector.fromArray(SPECIES, lines, l2 + p).fma(v, s2);
      s3 = FloatVector.fromArray(SPECIES, lines, l3 + p).fma(v, s3);
    }
    if (whole < inner) {
      VectorMask<Float> rest = SPECIES.indexInRange(whole, inner);
      FloatVector v = FloatVector.fromArray(SPECIES, x, from + whole, rest);
      s0 = FloatVector.fromArray(SPECIES, lines, start + whole, rest).fma(v, s0);
      s1 = FloatVector.fromArray(SPECIES, lines, l1 + whole, rest).fma(v, s1);
      s2 = FloatVector.fromArray(SPECIES, lines, l2 + whole, rest).fma(v, s2);
      s3 = FloatVector.fromArray(SPECIES, lines, l3 + whole, rest).fma(v, s3);
    }
    s0.intoArray(lanes, 0);
    s1.intoArray(lanes, LANES);
    s2.intoArray(lanes, 2 * LANES);
    s3.intoArray(lanes, 3 * LANES);
  }

  /// The lanes one after the other: see
  /// [dev.tensorbus.autograd.kernel.vector.elementwise.VectorElementwise#sum].
  public static float sum(float[] lanes, int first) {
    double sum = 0;
    for (int i = first; i < first + LANES; i++) {
      sum += lanes[i];
    }
    return (float) sum;
  }
}
