// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.pooling;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.LANES;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.SPECIES;

import dev.tensorbus.autograd.kernel.Parallel;
import dev.tensorbus.autograd.kernel.Scratch;
import dev.tensorbus.autograd.kernel.shape.PoolingShape;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;

/// Average pooling. The rows of a window are added first, with vectors of adjacent columns; then
/// the columns are averaged. The gradient is computed in the reverse order.
public final class VectorAveraging {
  /// The number of planes that makes waking a thread worthwhile.
  private static final int SMALLEST_SHARE = 64;

  private final PoolingShape shape;
  private final int width;

  private VectorAveraging(PoolingShape shape) {
    this.shape = shape;
    this.width = shape.columns().size();
  }

  /// Processes all windows with the same row window, whose index is `window`. `plane` and `output`
  /// are the offsets of the plane and of the results, and `row` is scratch space for one row.
  @FunctionalInterface
  private interface Action {
    void accept(int window, int plane, int output, float[] row);
  }

  private void forEach(Parallel parallel, Action action) {
    int windows = shape.rows().count();
    parallel.divide(
        shape.planes(),
        SMALLEST_SHARE,
        (first, end) ->
            Scratch.borrow(
                width,
                row -> {
                  for (int i = first * windows; i < end * windows; i++) {
                    int plane = i / windows * shape.pixels();
                    action.accept(i % windows, plane, i * shape.columns().count(), row);
                  }
                }));
  }

  /// See [dev.tensorbus.autograd.kernel.Kernels#avgPool].
  public static void run(Parallel parallel, PoolingShape shape, float[] x, float[] y) {
    VectorAveraging averaging = new VectorAveraging(shape);
    averaging.forEach(
        parallel,
        (window, plane, output, row) -> {
          averaging.addRows(shape.rows().places()[window], x, plane, row);
          averaging.average(row, shape.rows().divisors()[window], y, output);
        });
  }

  private void addRows(int[] down, float[] x, int plane, float[] row) {
    for (int left = 0; left < width; left += LANES) {
      VectorMask<Float> present = SPECIES.indexInRange(left, width);
      FloatVector sum = FloatVector.zero(SPECIES);
      for (int place : down) {
        sum = sum.add(FloatVector.fromArray(SPECIES, x, plane + place * width + left, present));
      }
      sum.intoArray(row, left, present);
    }
  }

  private void average(float[] row, int divisor, float[] y, int output) {
    int[][] places = shape.columns().places();
    for (int window = 0; window < places.length; window++) {
      float sum = 0;
      for (int place : places[window]) {
        sum += row[place];
      }
      y[output + window] = sum / ((float) divisor * shape.columns().divisors()[window]);
    }
  }

  /// See [dev.tensorbus.autograd.kernel.Kernels#avgPoolGradient].
  public static void runGradient(
      Parallel parallel, PoolingShape shape, float[] gradient, float[] xGradient) {
    VectorAveraging averaging = new VectorAveraging(shape);
    averaging.forEach(
        parallel,
        (window, plane, output, row) -> {
          averaging.spread(gradient, output, shape.rows().divisors()[window], row);
          for (int place : shape.rows().places()[window]) {
            averaging.addRow(row, xGradient, plane + place * averaging.width);
          }
        });
  }

  private void spread(float[] gradient, int output, int divisor, float[] row) {
    Arrays.fill(row, 0, width, 0f);
    int[][] places = shape.columns().places();
    for (int window = 0; window < places.length; window++) {
      float share =
          gradient[output + window] / ((float) divisor * shape.columns().divisors()[window]);
      for (int place : places[window]) {
        row[place] += share;
      }
    }
  }

  private void addRow(float[] row, float[] sums, int to) {
    for (int i = 0; i < width; i++) {
      sums[to + i] += row[i];
    }
  }
}
