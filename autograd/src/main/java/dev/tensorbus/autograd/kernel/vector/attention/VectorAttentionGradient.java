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

/// The gradients of attention: algorithm 4 of Dao et al., "FlashAttention" (2022). The weights are
/// recomputed from the `logSums` that the forward pass saved.
///
/// Each item is computed by one thread, because all its targets add to the gradients of the same
/// keys and values.
final class VectorAttentionGradient {
  private final AttentionShape shape;
  private final AttentionInputs<float[]> inputs;
  private final VisibleSources visible;
  private final ScoreTile tile;
  private final float[] y;
  private final double[] logSums;
  private final float[] gradient;
  private final float[] queryGradient;
  private final float[] keyGradient;
  private final float[] valueGradient;

  /// The array of all intermediate values. The following fields are offsets in it.
  private final float[] room;

  private final int query;
  private final int queryPanels;
  private final int querySums;
  private final int result;
  private final int resultGradient;
  private final int gradientPanels;
  private final int weights;
  private final int scores;
  private final int shift;
  private final int factor;
  private final int mean;
  private final int factors;
  private final int keys;

  private VectorAttentionGradient(
      AttentionInputs<float[]> inputs,
      VisibleSources visible,
      Slice<float[]> slice,
      float[] y,
      double[] logSums,
      float[] gradient,
      float[] queryGradient,
      float[] keyGradient,
      float[] valueGradient) {
    this.shape = inputs.shape();
    this.inputs = inputs;
    this.visible = visible;
    this.y = y;
    this.logSums = logSums;
    this.gradient = gradient;
    this.queryGradient = queryGradient;
    this.keyGradient = keyGradient;
    this.valueGradient = valueGradient;
    room = slice.values();
    tile = new ScoreTile(inputs, visible, room);
    int size = shape.size() * COLUMNS;
    int valueSize = shape.valueSize() * COLUMNS;
    query = slice.start();
    queryPanels = query + size;
    querySums = queryPanels + Panels.padded(shape.size(), COLUMNS) * COLUMNS;
    result = querySums + Panels.padded(shape.size(), ROWS) * COLUMNS;
    resultGradient = result + valueSize;
    gradientPanels = resultGradient + valueSize;
    weights = gradientPanels + Panels.padded(shape.valueSize(), COLUMNS) * COLUMNS;
    scores = weights + CHUNK * COLUMNS;
    shift = scores + CHUNK * COLUMNS;
    factor = shift + COLUMNS;
    mean = factor + COLUMNS;
    factors = mean + COLUMNS;
    keys = factors + COLUMNS;
  }

  private static int room(AttentionShape shape) {
    int columns = shape.size() + 2 * shape.valueSize() + 2 * CHUNK + 4;
    int panels = Panels.padded(shape.size(), COLUMNS) + Panels.padded(shape.valueSize(), COLUMNS);
    int padded = Panels.padded(shape.size(), ROWS);
    return (columns + panels + padded) * COLUMNS + padded * shape.sources();
  }

  /// See [VectorAttention#runGradient].
  static void run(
      Parallel parallel,
      AttentionInputs<float[]> inputs,
      float[] y,
      double[] logSums,
      float[] gradient,
      float[] queryGradient,
      float[] keyGradient,
      float[] valueGradient) {
    AttentionShape shape = inputs.shape();
    VisibleSources visible = VisibleSources.of(parallel, inputs);
    parallel.divide(
        shape.items(),
        shape.smallestShare(),
        (first, end) ->
            Scratch.borrowLines(
                room(shape),
                slice -> {
                  var task =
                      new VectorAttentionGradient(
                          inputs,
                          visible,
                          slice,
                          y,
                          logSums,
                          gradient,
                          queryGradient,
                          keyGradient,
                          valueGradient);
                  for (int item = first; item < end; item++) {
                    task.item(item);
                  }
                }));
  }

  private void item(int item) {
    tile.packSources(inputs.key(), shape.key(item, 0), shape.row(), shape.size(), keys);
    for (int block = 0; block * COLUMNS < shape.targets(); block++) {
      int target = block * COLUMNS;
      int present = Math.min(COLUMNS, shape.targets() - target);
      pack(item, target, present);
      Arrays.fill(room, querySums, result, 0f);
      VisibleSources.Bounds bounds = visible.bounds(item, block);
      for (int source = bounds.first(); source < bounds.end(); source += CHUNK) {
        int rows = Math.min(CHUNK, bounds.end() - source);
        boolean masked = source + rows > bounds.open();
        tile.scores(item, target, present, source, rows, masked, query, weights);
        chunk(item, target, present, source, rows);
      }
      Lines lines = new Lines(room, querySums, COLUMNS, 1);
      int to = shape.query(item, target);
      Transpose.run(lines, shape.size(), present, queryGradient, to, shape.row());
    }
  }

  /// Packs the inputs of a block of targets. For each target, also computes the dot product of its
  /// result and the gradient of this result.
  private void pack(int item, int target, int present) {
    tile.packQueries(item, target, present, query);
    int from = shape.query(item, target);
    tile.packRows(inputs.query(), from, shape.row(), present, shape.size(), queryPanels);
    int start = shape.result(item, target);
    int row = shape.valueRow();
    int size = shape.valueSize();
    tile.packColumns(y, start, row, present, size, result);
    tile.packColumns(gradient, start, row, present, size, resultGradient);
    tile.packRows(gradient, start, row, present, size, gradientPanels);
    Arrays.fill(room, shift, factors, 0f);
    ColumnSoftmax.dot(room, result, resultGradient, size, mean);
    for (int j = 0; j < present; j++) {
      double logSum = logSums[item * shape.targets() + target + j];
      room[shift + j] = (float) logSum;
      // Corrects for the rounding of `logSum` to float.
      room[factor + j] = (float) Math.exp((float) logSum - logSum);
    }
  }

  /// Adds the contributions of `rows` sources, whose scores are in `weights`, to the gradients.
  private void chunk(int item, int target, int present, int source, int rows) {
    ColumnSoftmax.exp(room, weights, rows, room, shift, factor, factors);
    int size = shape.valueSize();
    int value = shape.value(item, source);
    tile.products(inputs.value(), value, shape.valueRow(), size, rows, resultGradient, scores);
    tile.drop(item, target, source, rows, scores, factors);
    ColumnSoftmax.gradient(room, weights, scores, rows, mean, (float) shape.scale());
    tile.drop(item, target, source, rows, weights, factors);
    tile.addOverTargets(
        weights, rows, present, gradientPanels, size, valueGradient, value, shape.valueRow());
    int key = shape.key(item, source);
    tile.addOverTargets(
        scores, rows, present, queryPanels, shape.size(), keyGradient, key, shape.row());
    tile.addOverSources(keys, shape.size(), source, rows, scores, querySums);
  }
}
