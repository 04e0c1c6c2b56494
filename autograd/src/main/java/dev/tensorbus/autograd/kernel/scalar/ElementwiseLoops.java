// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.scalar;

import dev.tensorbus.autograd.kernel.UnaryFunction;
import dev.tensorbus.autograd.kernel.UnaryFunctions;

/// The loops of elementwise kernels, each over a range of indices. All arrays in a loop use the
/// same index: C2 does not vectorize a store at `start + i` together with a load at `i`, since the
/// two arrays may be the same.
final class ElementwiseLoops {
  /// The approximate number of values in a block of copies, which is small enough to stay in the
  /// first-level cache.
  private static final int BLOCK = 1024;

  private ElementwiseLoops() {}

  /// Combines two arrays into a third one.
  enum Pair {
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    MAXIMUM,
    MINIMUM;

    void run(float[] a, float[] b, float[] y, int first, int end) {
      switch (this) {
        case ADD -> add(a, b, y, first, end);
        case SUBTRACT -> subtract(a, b, y, first, end);
        case MULTIPLY -> multiply(a, b, y, first, end);
        case DIVIDE -> divide(a, b, y, first, end);
        case MAXIMUM -> maximum(a, b, y, first, end);
        case MINIMUM -> minimum(a, b, y, first, end);
      }
    }

    /// Combines each row of `a`, from `first` (inclusive) to `end` (exclusive), with `b`. Fills one
    /// block of `y` after another with copies of `b`, so that [#run] can combine it with `a`.
    void runRows(float[] a, float[] b, float[] y, int first, int end) {
      int block = b.length * Math.max(1, BLOCK / Math.max(1, b.length));
      int stop = end * b.length;
      for (int start = first * b.length; start < stop; start += block) {
        int next = Math.min(stop, start + block);
        repeat(b, y, start, next);
        run(a, y, y, start, next);
      }
    }
  }

  private static void repeat(float[] row, float[] y, int start, int end) {
    System.arraycopy(row, 0, y, start, row.length);
    for (int filled = start + row.length; filled < end; ) {
      int count = Math.min(filled - start, end - filled);
      System.arraycopy(y, start, y, filled, count);
      filled += count;
    }
  }

  private static void add(float[] a, float[] b, float[] y, int first, int end) {
    for (int i = first; i < end; i++) {
      y[i] = a[i] + b[i];
    }
  }

  private static void subtract(float[] a, float[] b, float[] y, int first, int end) {
    for (int i = first; i < end; i++) {
      y[i] = a[i] - b[i];
    }
  }

  private static void multiply(float[] a, float[] b, float[] y, int first, int end) {
    for (int i = first; i < end; i++) {
      y[i] = a[i] * b[i];
    }
  }

  private static void divide(float[] a, float[] b, float[] y, int first, int end) {
    for (int i = first; i < end; i++) {
      y[i] = a[i] / b[i];
    }
  }

  static void scale(float[] x, float factor, float[] y, int first, int end) {
    for (int i = first; i < end; i++) {
      y[i] = x[i] * factor;
    }
  }

  static void scaleRows(float[] x, float[] factors, int columns, float[] y, int first, int end) {
    for (int row = first; row < end; row++) {
      float factor = factors[row];
      for (int i = row * columns; i < (row + 1) * columns; i++) {
        y[i] = x[i] * factor;
      }
    }
  }

  static void addRows(float[] x, float[] terms, int columns, float[] y, int first, int end) {
    for (int row = first; row < end; row++) {
      float term = terms[row];
      for (int i = row * columns; i < (row + 1) * columns; i++) {
        y[i] = x[i] + term;
      }
    }
  }

  private static void maximum(float[] a, float[] b, float[] y, int first, int end) {
    for (int i = first; i < end; i++) {
      y[i] = Math.max(a[i], b[i]);
    }
  }

  private static void minimum(float[] a, float[] b, float[] y, int first, int end) {
    for (int i = first; i < end; i++) {
      y[i] = Math.min(a[i], b[i]);
    }
  }

  static void map(UnaryFunction function, float[] x, float[] y, int first, int end) {
    switch (function) {
      case UnaryFunctions.ABS -> abs(x, y, first, end);
      case UnaryFunctions.RELU -> relu(x, y, first, end);
      default -> {
        for (int i = first; i < end; i++) {
          y[i] = (float) function.at(x[i]);
        }
      }
    }
  }

  private static void abs(float[] x, float[] y, int first, int end) {
    for (int i = first; i < end; i++) {
      y[i] = Math.abs(x[i]);
    }
  }

  private static void relu(float[] x, float[] y, int first, int end) {
    for (int i = first; i < end; i++) {
      y[i] = Math.max(x[i], 0f);
    }
  }
}
