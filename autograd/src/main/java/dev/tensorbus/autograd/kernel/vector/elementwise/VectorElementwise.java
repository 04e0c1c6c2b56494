// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.elementwise;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.LANES;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.SPECIES;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/// The elementwise kernels and sums that C2 does not turn into vector instructions by itself:
/// those with a condition, whose branch would be guessed wrong every second time, and those whose
/// order of additions it must keep.
public final class VectorElementwise {
  private VectorElementwise() {}

  /// See [dev.tensorbus.autograd.kernel.UnaryFunctions#RELU].
  public static void reluGradient(
      float[] output, float[] gradient, float[] xGradient, int first, int end) {
    for (int i = first; i < end; i += LANES) {
      VectorMask<Float> present = SPECIES.indexInRange(i, end);
      VectorMask<Float> positive =
          FloatVector.fromArray(SPECIES, output, i, present).compare(VectorOperators.LE, 0f).not();
      FloatVector.fromArray(SPECIES, gradient, i, positive).intoArray(xGradient, i, present);
    }
  }

  /// The sum of `x[first]` to `x[end - 1]`. Four accumulators: an addition takes four cycles.
  ///
  /// The lanes are added one after another, since `reduceLanes` leaves the order open, and C2's
  /// differs from the interpreter's: a sum would depend on when its code was compiled.
  ///
  /// @param lanes room for one vector
  public static double sum(float[] x, int first, int end, float[] lanes) {
    FloatVector s0 = FloatVector.zero(SPECIES);
    FloatVector s1 = s0;
    FloatVector s2 = s0;
    FloatVector s3 = s0;
    int i = first;
    for (; i <= end - 4 * LANES; i += 4 * LANES) {
      s0 = s0.add(FloatVector.fromArray(SPECIES, x, i));
      s1 = s1.add(FloatVector.fromArray(SPECIES, x, i + LANES));
      s2 = s2.add(FloatVector.fromArray(SPECIES, x, i + 2 * LANES));
      s3 = s3.add(FloatVector.fromArray(SPECIES, x, i + 3 * LANES));
    }
    for (; i < end; i += LANES) {
      s0 = s0.add(FloatVector.fromArray(SPECIES, x, i, SPECIES.indexInRange(i, end)));
    }
    s0.add(s1).add(s2.add(s3)).intoArray(lanes, 0);
    double sum = 0;
    for (float lane : lanes) {
      sum += lane;
    }
    return sum;
  }

  /// The greatest of `x[first]` to `x[end - 1]`, NaN if there is one; minus infinity of nothing.
  ///
  /// @param lanes room for one vector
  static float max(float[] x, int first, int end, float[] lanes) {
    FloatVector m0 = FloatVector.broadcast(SPECIES, Float.NEGATIVE_INFINITY);
    FloatVector m1 = m0;
    int i = first;
    for (; i <= end - 2 * LANES; i += 2 * LANES) {
      m0 = m0.max(FloatVector.fromArray(SPECIES, x, i));
      m1 = m1.max(FloatVector.fromArray(SPECIES, x, i + LANES));
    }
    m0.max(m1).intoArray(lanes, 0);
    float max = Float.NEGATIVE_INFINITY;
    for (float lane : lanes) {
      max = Math.max(max, lane);
    }
    for (; i < end; i++) {
      max = Math.max(max, x[i]);
    }
    return max;
  }
}
