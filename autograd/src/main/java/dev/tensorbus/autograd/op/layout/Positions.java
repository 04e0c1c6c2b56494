// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op.layout;

import dev.tensorbus.autograd.Shape;

/// Where in an array single values lie.
public final class Positions {
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
    for (int i = 0; i < positions.length; i++) {
      int rest = i;
      int step = 1;
      for (int at = shape.rank() - 1; at >= 0; at--) {
        int place = rest % shape.size(at);
        rest /= shape.size(at);
        positions[i] += (at == axis ? choice.index(i, place) : place) * step;
        step *= source.size(at);
      }
    }
    return positions;
  }

  /// `target[i] = source[positions[i]]` for arrays of any type.
  public static void take(Object source, int[] positions, Object target) {
    switch (source) {
      case float[] values -> {
        float[] taken = (float[]) target;
        for (int i = 0; i < positions.length; i++) {
          taken[i] = values[positions[i]];
        }
      }
      case double[] values -> {
        double[] taken = (double[]) target;
        for (int i = 0; i < positions.length; i++) {
          taken[i] = values[positions[i]];
        }
      }
      case long[] values -> {
        long[] taken = (long[]) target;
        for (int i = 0; i < positions.length; i++) {
          taken[i] = values[positions[i]];
        }
      }
      default -> {
        boolean[] values = (boolean[]) source;
        boolean[] taken = (boolean[]) target;
        for (int i = 0; i < positions.length; i++) {
          taken[i] = values[positions[i]];
        }
      }
    }
  }
}
