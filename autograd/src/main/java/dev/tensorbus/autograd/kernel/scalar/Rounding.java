// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.scalar;

/// Converts float32 values to float64 for the reference implementation, and its results back to
/// float32.
final class Rounding {
  private Rounding() {}

  /// Returns the same values in float64.
  static double[] widened(float[] values) {
    double[] widened = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      widened[i] = values[i];
    }
    return widened;
  }

  /// Writes `exact`, rounded to float32, to `values`.
  static void round(double[] exact, float[] values) {
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) exact[i];
    }
  }
}
