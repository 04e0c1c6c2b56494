// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

import dev.tensorbus.autograd.kernel.shape.Strided;

/// [Arithmetic] on `float[]`, with further kernels that only float32 needs.
/// [dev.tensorbus.autograd.kernel.scalar.ScalarKernels] is the reference implementation.
public interface Kernels extends Arithmetic<float[]> {
  /// Returns the fastest kernels that this JVM supports. They are chosen once.
  static Kernels best() {
    return KernelChoice.BEST;
  }

  /// Returns the fastest float64 kernels that this JVM supports. They are chosen once.
  static Arithmetic<double[]> float64() {
    return KernelChoice.FLOAT64;
  }

  /// Fills `y` with standard normal values that depend only on the seed and the length of `y`.
  void normal(long seed, float[] y);

  /// Rounds each `x[i]` to `y[i]` with [Bfloat16#of].
  default void roundToBfloat16(float[] x, short[] y) {
    for (int i = 0; i < x.length; i++) {
      y[i] = Bfloat16.of(x[i]);
    }
  }

  /// Computes `y[to + i] = x[from + positions[i]]` for the first `n` positions.
  default void takeAt(float[] x, int from, int[] positions, int n, float[] y, int to) {
    for (int i = 0; i < n; i++) {
      y[to + i] = x[from + positions[i]];
    }
  }

  /// Computes `y[b, j, i] = x[b, i, j]` for `x` of shape `[blocks, rows, columns]`.
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

  /// Returns the vector registers that the kernels use; none for plain loops.
  default VectorRegisters registers() {
    return VectorRegisters.NONE;
  }
}
