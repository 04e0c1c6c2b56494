// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op.layout;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.kernel.shape.Strided;

/// Computes the offsets of individual values in an array.
final class Positions {
  /// The number of offsets that fit into the L1 cache.
  private static final int BLOCK = 1024;

  private final Shape shape;
  private final int axis;
  private final int[] steps;
  private final int step;
  private final Choice choice;
  private final int[] row;
  private int first;

  /// Chooses the index on one axis from which a value is read.
  @FunctionalInterface
  interface Choice {
    /// Returns the index on the axis.
    ///
    /// @param i the row-major index of the value in the result
    /// @param place the index of the value on that axis of the result
    int index(int i, int place);
  }

  /// Receives the offsets of some values.
  @FunctionalInterface
  interface Block {
    /// Receives `count` offsets, which are at the start of `positions`.
    ///
    /// @param first the row-major index of the first value
    void take(int[] positions, int count, int first);
  }

  private Positions(Shape shape, Shape source, int axis, Choice choice) {
    this.shape = shape;
    this.axis = axis;
    this.steps = Strided.all(source.toArray()).steps();
    this.step = steps[axis];
    this.choice = choice;
    this.row = new int[shape.rank()];
    steps[axis] = 0; // the choice decides the offset along this axis
  }

  /// Returns, for each value of `shape`, its offset in `source`. Its indices are the same in both,
  /// except on `axis`, where `choice` determines the index in `source`.
  static int[] along(Shape shape, Shape source, int axis, Choice choice) {
    int[] positions = new int[shape.elements()];
    new Positions(shape, source, axis, choice).fill(positions, positions.length);
    return positions;
  }

  /// Computes the same offsets as [#along], for a few rows per call of `block`, in an array that is
  /// reused.
  static void forEachBlock(Shape shape, Shape source, int axis, Choice choice, Block block) {
    int columns = shape.size(-1);
    int size = Math.max(columns, BLOCK / Math.max(1, columns) * columns);
    Positions positions = new Positions(shape, source, axis, choice);
    int[] next = new int[Math.min(size, shape.elements())];
    for (int first = 0; first < shape.elements(); first += size) {
      int count = Math.min(size, shape.elements() - first);
      positions.fill(next, count);
      block.take(next, count, first);
    }
  }

  /// Computes the offsets of the next rows.
  private void fill(int[] positions, int count) {
    int columns = shape.size(-1);
    for (int at = 0; at < count; at += columns) {
      fillRow(positions, at, columns);
      first += columns;
      advance();
    }
  }

  private void fillRow(int[] positions, int at, int columns) {
    int last = shape.rank() - 1;
    int base = 0;
    for (int i = 0; i < last; i++) {
      base += row[i] * steps[i];
    }
    int number = first;
    int byIndex = step;
    if (axis == last) {
      for (int j = 0; j < columns; j++) {
        positions[at + j] = base + choice.index(number + j, j) * byIndex;
      }
    } else {
      int place = row[axis];
      int byColumn = steps[last];
      for (int j = 0; j < columns; j++) {
        positions[at + j] = base + j * byColumn + choice.index(number + j, place) * byIndex;
      }
    }
  }

  /// Advances to the next row; the last axis is skipped.
  private void advance() {
    for (int at = row.length - 2; at >= 0 && ++row[at] == shape.size(at); at--) {
      row[at] = 0;
    }
  }
}
