// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.elementwise;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.LANES;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.SPECIES;

import dev.tensorbus.autograd.kernel.vector.product.Panels;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;

/// A block of values to which a function is applied in several passes, during which the block stays
/// in the first-level cache. The passes are methods of [VectorMath], and plain loops that C2
/// vectorizes.
///
/// @param v the values
/// @param w scratch space for the passes
/// @param u more scratch space
public record FunctionBlock(float[] v, float[] w, float[] u) {
  private static final int SIZE = 1024;

  /// Replaces the first `n` values of a block with the results of a function.
  @FunctionalInterface
  public interface Passes {
    void run(FunctionBlock block, int n);
  }

  private static FunctionBlock of(int length) {
    int size = Math.min(SIZE, Panels.padded(length, LANES));
    return new FunctionBlock(new float[size], new float[size], new float[size]);
  }

  /// Sets `y[i]` to the result of the passes for `x[i]`, for `i` from `first` (inclusive) to `end`
  /// (exclusive).
  public static void map(Passes passes, float[] x, float[] y, int first, int end) {
    FunctionBlock block = of(end - first);
    for (int at = first; at < end; at += SIZE) {
      int n = Math.min(SIZE, end - at);
      System.arraycopy(x, at, block.v, 0, n);
      passes.run(block, n);
      System.arraycopy(block.v, 0, y, at, n);
    }
  }

  /// Sets `xGradient[i]` to `gradient[i]` times the derivative, which the passes compute from
  /// `kept[i]`. The range of `i` is as in [#map].
  public static void mapGradient(
      Passes passes, float[] kept, float[] gradient, float[] xGradient, int first, int end) {
    FunctionBlock block = of(end - first);
    for (int at = first; at < end; at += SIZE) {
      int n = Math.min(SIZE, end - at);
      System.arraycopy(kept, at, block.v, 0, n);
      passes.run(block, n);
      System.arraycopy(gradient, at, block.w, 0, n);
      block.multiply(n);
      System.arraycopy(block.w, 0, xGradient, at, n);
    }
  }

  /// Multiplies `w` by `v`. If a value of `v` is 0, the product is 0 even if the value of `w` is
  /// infinite or NaN.
  private void multiply(int n) {
    for (int i = 0; i < n; i += LANES) {
      FloatVector derivative = FloatVector.fromArray(SPECIES, v, i);
      FloatVector.fromArray(SPECIES, w, i)
          .mul(derivative)
          .blend(0f, derivative.compare(VectorOperators.EQ, 0f))
          .intoArray(w, i);
    }
  }
}
