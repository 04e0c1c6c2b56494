// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

import dev.tensorbus.autograd.kernel.shape.Strided;

/// [Arithmetic] on `float[]`, for training networks.
/// [dev.tensorbus.autograd.kernel.scalar.ScalarKernels] is the specification of every other
/// implementation.
public interface Kernels extends Arithmetic<float[]> {
  /// Returns the fastest kernels that this JVM supports, chosen once.
  static Kernels best() {
    return KernelChoice.BEST;
  }

  /// Returns the fastest kernels for float64.
  static Arithmetic<double[]> float64() {
    return KernelChoice.FLOAT64;
  }

  /// Fills `y` with standard normal values that depend only on the seed.
  void normal(long seed, float[] y);

  /// `y[i]` is `x[i]` rounded by [Bfloat16#of].
  default void roundToBfloat16(float[] x, short[] y) {
    for (int i = 0; i < x.length; i++) {
      y[i] = Bfloat16.of(x[i]);
    }
  }

  /// `y[to + i] = x[from + positions[i]]` for the first `n` positions.
  default void takeAt(float[] x, int from, int[] positions, int n, float[] y, int to) {
    for (int i = 0; i < n; i++) {
      y[to + i] = x[from + positions[i]];
    }
  }

  /// `y[b, j, i] = x[b, i, j]` for blocks of `rows` rows of `columns` values.
  default void transpose(int rows, int columns, float[] x, float[] y) {
    int blocks = x.length / (rows * columns);
    Strided.all(blocks, rows, columns)
        .permuted(0, 2, 1)
        .forEachRow(
            (place, step, index, count) -> {
              for (int i = 0; i < count; i++) {
                y[index + i] = x[place + i * step];
              }
            });
  }

  /// Returns the vector width in bits; 0 for plain loops.
  default int vectorBits() {
    return 0;
  }
}
