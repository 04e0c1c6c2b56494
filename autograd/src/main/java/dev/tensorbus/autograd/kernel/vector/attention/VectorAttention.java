// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.attention;

import static dev.tensorbus.autograd.kernel.vector.attention.ScoreTile.CHUNK;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.COLUMNS;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.ROWS;

import dev.tensorbus.autograd.kernel.Parallel;
import dev.tensorbus.autograd.kernel.Scratch;
import dev.tensorbus.autograd.kernel.attention.AttentionInputs;
import dev.tensorbus.autograd.kernel.attention.AttentionShape;
import dev.tensorbus.autograd.kernel.shape.Slice;
import dev.tensorbus.autograd.kernel.vector.elementwise.ColumnSoftmax;
import dev.tensorbus.autograd.kernel.vector.product.Lines;
import dev.tensorbus.autograd.kernel.vector.product.Panels;
import dev.tensorbus.autograd.kernel.vector.product.Transpose;
import java.util.Arrays;

/// Attention in chunks of sources: algorithm 1 of Dao et al., "FlashAttention" (2022). The sums
/// over the previous sources are scaled down whenever a larger score occurs, so the scores never
/// need to be in memory all at once.
///
/// Each block of targets is computed by one thread, so the results do not depend on the number of
/// threads.
public final class VectorAttention {
  private final AttentionShape shape;
  private final AttentionInputs<float[]> inputs;
  private final VisibleSources visible;
  private final ScoreTile tile;
  private final float[] y;
  private final double[] logSums;

  /// The array of all intermediate values. The following fields are offsets in it.
  private final float[] room;

  private final int query;
  private final int scores;
  private final int sums;
  private final int values;
  private final int greatest;
  private final int shift;
  private final int decrease;
  private final int total;
  private final int ones;
  private final int factors;

  private VectorAttention(
      AttentionInputs<float[]> inputs,
      VisibleSources visible,
      Slice<float[]> slice,
      float[] y,
      double[] logSums) {
    this.shape = inputs.shape();
    this.inputs = inputs;
    this.visible = visible;
    this.y = y;
    this.logSums = logSums;
    room = slice.values();
    tile = new ScoreTile(inputs, visible, room);
    int padded = Panels.padded(shape.valueSize(), ROWS);
    query = slice.start();
    scores = query + shape.size() * COLUMNS;
    sums = scores + CHUNK * COLUMNS;
    greatest = sums + padded * COLUMNS;
    shift = greatest + COLUMNS;
    decrease = shift + COLUMNS;
    total = decrease + COLUMNS;
    ones = total + COLUMNS;
    factors = ones + COLUMNS;
    values = factors + COLUMNS;
    Arrays.fill(room, ones, ones + COLUMNS, 1f);
  }

  private static int room(AttentionShape shape) {
    int padded = Panels.padded(shape.valueSize(), ROWS);
    return (shape.size() + CHUNK + padded + 6) * COLUMNS + padded * shape.sources();
  }

  /// See [dev.tensorbus.autograd.kernel.Arithmetic#attention].
  public static void run(
      Parallel parallel, AttentionInputs<float[]> inputs, float[] y, double[] logSums) {
    AttentionShape shape = inputs.shape();
    VisibleSources visible = VisibleSources.of(parallel, inputs);
    int blocks = Math.ceilDiv(shape.targets(), COLUMNS);
    parallel.divide(
        shape.items() * blocks,
        shape.smallestShare() * blocks,
        (first, end) ->
            Scratch.borrowLines(
                room(shape),
                slice ->
                    new VectorAttention(inputs, visible, slice, y, logSums)
                        .blocks(first, end, blocks)));
  }

  /// See [dev.tensorbus.autograd.kernel.Arithmetic#attentionGradient].
  public static void runGradient(
      Parallel parallel,
      AttentionInputs<float[]> inputs,
      float[] y,
      double[] logSums,
      float[] gradient,
      float[] queryGradient,
      float[] keyGradient,
      float[] valueGradient) {
    VectorAttentionGradient.run(
        parallel, inputs, y, logSums, gradient, queryGradient, keyGradient, valueGradient);
  }

  private void blocks(int first, int end, int each) {
    for (int number = first; number < end; number++) {
      int item = number / each;
      if (number == first || number % each == 0) {
        int start = shape.value(item, 0);
        tile.packSources(inputs.value(), start, shape.valueRow(), shape.valueSize(), values);
      }
      block(item, number % each);
    }
  }

  private void block(int item, int block) {
    int target = block * COLUMNS;
    int present = Math.min(COLUMNS, shape.targets() - target);
    tile.packQueries(item, target, present, query);
    Arrays.fill(room, sums, greatest, 0f);
    Arrays.fill(room, greatest, greatest + COLUMNS, Float.NEGATIVE_INFINITY);
    Arrays.fill(room, total, total + COLUMNS, 0f);
    VisibleSources.Bounds bounds = visible.bounds(item, block);
    for (int source = bounds.first(); source < bounds.end(); source += CHUNK) {
      int rows = Math.min(CHUNK, bounds.end() - source);
      tile.scores(
          item, target, present, source, rows, source + rows > bounds.open(), query, scores);
      lower(rows);
      ColumnSoftmax.exp(room, scores, rows, room, shift, ones, total);
      tile.drop(item, target, source, rows, scores, factors);
      tile.addOverSources(values, shape.valueSize(), source, rows, scores, sums);
    }
    finish(item, target, present);
  }

  /// Updates the maximum score of each target with the current chunk, and scales down the sums that
  /// were computed with a smaller maximum. If all scores of a target are masked so far, nothing is
  /// subtracted from them: minus infinity minus itself would be NaN.
  private void lower(int rows) {
    System.arraycopy(room, greatest, room, decrease, COLUMNS);
    ColumnSoftmax.max(room, scores, rows, room, greatest);
    boolean less = false;
    for (int j = 0; j < COLUMNS; j++) {
      float max = room[greatest + j];
      float before = room[decrease + j];
      less |= max != before;
      room[shift + j] = max == Float.NEGATIVE_INFINITY ? 0f : max;
      room[decrease + j] = max == before ? 1f : (float) Math.exp(before - max);
    }
    if (less) {
      ColumnSoftmax.scale(room, sums, shape.valueSize(), room, decrease);
      ColumnSoftmax.scale(room, total, 1, room, decrease);
    }
  }

  private void finish(int item, int target, int present) {
    for (int j = 0; j < present; j++) {
      double sum = room[total + j];
      logSums[item * shape.targets() + target + j] = room[greatest + j] + Math.log(sum);
      room[total + j] = (float) (1 / sum);
    }
    ColumnSoftmax.scale(room, sums, shape.valueSize(), room, total);
    Lines lines = new Lines(room, sums, COLUMNS, 1);
    int to = shape.result(item, target);
    Transpose.run(lines, shape.valueSize(), present, y, to, shape.valueRow());
  }
}
