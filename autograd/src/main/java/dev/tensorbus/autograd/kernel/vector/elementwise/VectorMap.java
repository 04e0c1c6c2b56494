// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.elementwise;

import dev.tensorbus.autograd.kernel.Parallel;
import dev.tensorbus.autograd.kernel.UnaryFunction;
import dev.tensorbus.autograd.kernel.UnaryFunctions;

/// Implements [dev.tensorbus.autograd.kernel.Arithmetic#map] and
/// [dev.tensorbus.autograd.kernel.Arithmetic#mapGradient] for the functions that benefit from
/// vector instructions.
public final class VectorMap {
  /// The number of values (about 30 microseconds of work) that makes waking a thread worthwhile.
  private static final int SMALLEST_SHARE = 1 << 17;

  /// The number of values that makes waking a thread worthwhile for functions computed in passes,
  /// which take longer per value.
  private static final int SMALLEST_CURVE = 1 << 14;

  private VectorMap() {}

  /// Computes `y` and returns true, or does nothing and returns false if there is no vector kernel
  /// for the function.
  public static boolean run(Parallel parallel, UnaryFunction function, float[] x, float[] y) {
    FunctionBlock.Passes passes = VectorFunctions.of(function);
    if (passes == null) {
      return false;
    }
    parallel.divide(
        y.length, SMALLEST_CURVE, (first, end) -> FunctionBlock.map(passes, x, y, first, end));
    return true;
  }

  /// Computes `xGradient` and returns true, or does nothing and returns false if there is no vector
  /// kernel for the function.
  public static boolean runGradient(
      Parallel parallel,
      UnaryFunction function,
      float[] kept,
      float[] gradient,
      float[] xGradient) {
    if (function == UnaryFunctions.RELU) {
      parallel.divide(
          xGradient.length,
          SMALLEST_SHARE,
          (first, end) -> VectorElementwise.reluGradient(kept, gradient, xGradient, first, end));
      return true;
    }
    if (function == UnaryFunctions.LOG) {
      parallel.divide(
          xGradient.length,
          SMALLEST_SHARE,
          (first, end) -> VectorElementwise.logGradient(kept, gradient, xGradient, first, end));
      return true;
    }
    FunctionBlock.Passes passes = VectorDerivatives.of(function);
    if (passes == null) {
      return false;
    }
    parallel.divide(
        xGradient.length,
        SMALLEST_CURVE,
        (first, end) -> FunctionBlock.mapGradient(passes, kept, gradient, xGradient, first, end));
    return true;
  }
}
