// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.pooling;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.GATHERS;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.LANES;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.SPECIES;

import dev.tensorbus.autograd.kernel.Parallel;
import dev.tensorbus.autograd.kernel.Scratch;
import dev.tensorbus.autograd.kernel.shape.PoolingShape;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/// Max pooling without branches, which would often be mispredicted.
///
/// A row of the image is pooled horizontally when the first window needs it, and the results are
/// kept until the last window has used them. On a machine without gather instructions, the values
/// are first copied so that the values of each tap are contiguous.
public final class VectorPooling {
  private static final VectorSpecies<Integer> INDICES =
      VectorSpecies.of(int.class, SPECIES.vectorShape());

  /// The number of planes that makes waking a thread worthwhile.
  private static final int SMALLEST_SHARE = 64;

  private final PoolingShape shape;
  private final int outputs;

  /// The indices in a row that the windows cover, tap by tap.
  private final int[] table;

  /// The same indices, padded so that a vector can be read from any position of `table`.
  private final int[] columns;

  /// The number of pooled rows that are kept.
  private final int kept;

  /// The stride from one kept row to the next.
  private final int pitch;

  private VectorPooling(PoolingShape shape) {
    this.shape = shape;
    this.outputs = shape.columns().count();
    this.table = shape.columns().tapByTap();
    this.columns = new int[table.length + LANES];
    System.arraycopy(table, 0, columns, 0, table.length);
    this.kept = shape.rows().reach();
    this.pitch = outputs + LANES;
  }

  /// See [dev.tensorbus.autograd.kernel.Kernels#maxPool].
  public static void run(
      Parallel parallel, PoolingShape shape, float[] x, float[] y, int[] positions) {
    if (shape.outputs() > 0) {
      VectorPooling pooling = new VectorPooling(shape);
      parallel.divide(
          shape.planes(),
          SMALLEST_SHARE,
          (first, end) -> pooling.pool(first, end, x, y, positions));
    }
  }

  private void pool(int first, int end, float[] x, float[] y, int[] positions) {
    int[] places = new int[kept * pitch];
    Scratch.borrow(
        columns.length,
        taps ->
            Scratch.borrow(
                kept * pitch,
                rows -> {
                  for (int plane = first; plane < end; plane++) {
                    poolPlane(plane, x, taps, rows, places, y, positions);
                  }
                }));
  }

  private void poolPlane(
      int plane, float[] x, float[] taps, float[] rows, int[] places, float[] y, int[] positions) {
    int width = shape.columns().size();
    int next = 0;
    for (int output = 0; output < shape.rows().count(); output++) {
      int[] down = shape.rows().places()[output];
      for (; next <= down[down.length - 1]; next++) {
        int start = plane * shape.pixels() + next * width;
        if (!GATHERS) {
          copy(x, start, table, taps);
        }
        poolAcross(x, taps, start, next % kept * pitch, rows, places);
      }
      int to = plane * shape.outputPixels() + output * outputs;
      poolDown(down, rows, places, to, y, positions);
    }
  }

  private static void copy(float[] x, int start, int[] table, float[] taps) {
    for (int i = 0; i < table.length; i++) {
      taps[i] = x[start + table[i]];
    }
  }

  /// Pools the image row at `start` horizontally: computes the maximum of each window over its
  /// taps.
  private void poolAcross(float[] x, float[] taps, int start, int to, float[] rows, int[] places) {
    for (int left = 0; left < outputs; left += LANES) {
      FloatVector best =
          GATHERS
              ? FloatVector.fromArray(SPECIES, x, start, columns, left)
              : FloatVector.fromArray(SPECIES, taps, left);
      IntVector at = IntVector.fromArray(INDICES, columns, left);
      for (int tap = left + outputs; tap < table.length; tap += outputs) {
        FloatVector next =
            GATHERS
                ? FloatVector.fromArray(SPECIES, x, start, columns, tap)
                : FloatVector.fromArray(SPECIES, taps, tap);
        // Greater than the maximum so far, or NaN if the maximum so far is not NaN.
        VectorMask<Float> greater =
            next.compare(VectorOperators.LE, best)
                .not()
                .and(best.compare(VectorOperators.EQ, best));
        best = best.blend(next, greater);
        at = at.blend(IntVector.fromArray(INDICES, columns, tap), greater.cast(INDICES));
      }
      best.intoArray(rows, to + left);
      at.add(start).intoArray(places, to + left);
    }
  }

  /// Pools vertically: for each column, computes the maximum of the kept rows that belong to the
  /// image rows `down`.
  private void poolDown(
      int[] down, float[] rows, int[] places, int to, float[] y, int[] positions) {
    for (int left = 0; left < outputs; left += LANES) {
      int from = down[0] % kept * pitch + left;
      FloatVector best = FloatVector.fromArray(SPECIES, rows, from);
      IntVector at = IntVector.fromArray(INDICES, places, from);
      for (int i = 1; i < down.length; i++) {
        from = down[i] % kept * pitch + left;
        FloatVector next = FloatVector.fromArray(SPECIES, rows, from);
        VectorMask<Float> greater =
            next.compare(VectorOperators.LE, best)
                .not()
                .and(best.compare(VectorOperators.EQ, best));
        best = best.blend(next, greater);
        at = at.blend(IntVector.fromArray(INDICES, places, from), greater.cast(INDICES));
      }
      VectorMask<Float> present = SPECIES.indexInRange(left, outputs);
      best.intoArray(y, to + left, present);
      at.intoArray(positions, to + left, present.cast(INDICES));
    }
  }
}
