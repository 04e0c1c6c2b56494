// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.elementwise;

import dev.tensorbus.autograd.kernel.Parallel;
import dev.tensorbus.autograd.kernel.UnaryFunction;
import dev.tensorbus.autograd.kernel.UnaryFunctions;

/// [dev.tensorbus.autograd.kernel.Arithmetic#map] and its gradient, for the functions that gain by
/// vectors.
public final class VectorMap {
  /// Values that are worth waking a thread: about 30 microseconds.
  private static final int SMALLEST_SHARE = 1 << 17;

  /// The same for curves, of which each value takes longer.
  private static final int SMALLEST_CURVE = 1 << 14;

  private VectorMap() {}

  /// Does nothing and gives false where a plain loop is as fast.
  public static boolean run(Parallel parallel, UnaryFunction function, float[] x, float[] y) {
    FunctionBlock.Passes passes = VectorFunctions.of(function);
    if (passes == null) {
      return false;
    }
    parallel.divide(
        y.length, SMALLEST_CURVE, (first, end) -> FunctionBlock.map(passes, x, y, first, end));
    return true;
  }

  /// Does nothing and gives false where a plain loop is as fast.
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
