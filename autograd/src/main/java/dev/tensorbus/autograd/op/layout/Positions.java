// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op.layout;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.kernel.shape.Strided;

/// Where in an array single values lie.
final class Positions {
  private Positions() {}

  /// Says which index on one axis a value is taken from.
  @FunctionalInterface
  interface Choice {
    /// The index on the axis.
    ///
    /// @param i the value's number in row-major order
    /// @param place its index on the axis
    int index(int i, int place);
  }

  /// The position in `source` of each value of `shape`, whose indices are the same except on
  /// `axis`.
  static int[] along(Shape shape, Shape source, int axis, Choice choice) {
    int[] positions = new int[shape.elements()];
    int[] steps = Strided.all(source.toArray()).steps();
    int step = steps[axis];
    steps[axis] = 0; // the choice says how far it is on this axis
    int last = shape.rank() - 1;
    int columns = shape.size(last);
    int[] row = new int[shape.rank()];
    for (int first = 0; first < positions.length; first += columns) {
      int base = 0;
      for (int at = 0; at < last; at++) {
        base += row[at] * steps[at];
      }
      for (int j = 0; j < columns; j++) {
        int index = choice.index(first + j, axis == last ? j : row[axis]);
        positions[first + j] = base + j * steps[last] + index * step;
      }
      advance(row, shape);
    }
    return positions;
  }

  /// To the next row: the last axis is not counted.
  private static void advance(int[] row, Shape shape) {
    for (int at = row.length - 2; at >= 0 && ++row[at] == shape.size(at); at--) {
      row[at] = 0;
    }
  }
}
