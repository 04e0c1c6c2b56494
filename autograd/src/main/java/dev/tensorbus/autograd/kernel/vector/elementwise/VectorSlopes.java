// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.elementwise;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.LANES;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.SPECIES;

import dev.tensorbus.autograd.kernel.Curve;
import dev.tensorbus.autograd.kernel.Curves;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import org.jspecify.annotations.Nullable;

/// The slopes of curves: each replaces the first `n` values of a block, which the curve kept.
public final class VectorSlopes {
  /// The density of the standard normal distribution at 0.
  private static final float DENSITY = (float) (1 / Math.sqrt(2 * Math.PI));

  private VectorSlopes() {}

  /// The passes for a curve; null where there are none.
  public static CurveBlock.@Nullable Passes of(Curve curve) {
    return switch (curve) {
      case Curves.ABS -> (block, n) -> sign(block.v(), n);
      case Curve.LeakyRelu leaky -> (block, n) -> step(block.v(), (float) leaky.negativeSlope(), n);
      case Curves.EXP -> (block, n) -> {};
      case Curves.LOG -> (block, n) -> reciprocal(block.v(), 1f, n);
      case Curves.SQRT -> (block, n) -> reciprocal(block.v(), 0.5f, n);
      case Curves.RECIPROCAL -> (block, n) -> negativeSquare(block.v(), 0f, n);
      case Curves.TANH -> (block, n) -> negativeSquare(block.v(), 1f, n);
      case Curves.SIGMOID -> (block, n) -> sigmoid(block.v(), n);
      case Curves.SOFTPLUS -> (block, n) -> VectorMath.sigmoid(block.v(), 0, n);
      case Curves.SILU -> VectorSlopes::silu;
      case Curves.GELU -> VectorSlopes::gelu;
      case Curves.GELU_TANH -> VectorCurves::geluTanhSlope;
      default -> null;
    };
  }

  private static void sign(float[] v, int n) {
    for (int i = 0; i < n; i += LANES) {
      FloatVector x = FloatVector.fromArray(SPECIES, v, i);
      FloatVector.zero(SPECIES)
          .blend(1f, x.compare(VectorOperators.GT, 0f))
          .blend(-1f, x.compare(VectorOperators.LT, 0f))
          .intoArray(v, i);
    }
  }

  private static void step(float[] v, float low, int n) {
    for (int i = 0; i < n; i += LANES) {
      VectorMask<Float> above =
          FloatVector.fromArray(SPECIES, v, i).compare(VectorOperators.GT, 0f);
      FloatVector.broadcast(SPECIES, low).blend(1f, above).intoArray(v, i);
    }
  }

  private static void reciprocal(float[] v, float factor, int n) {
    for (int i = 0; i < n; i++) {
      v[i] = factor / v[i];
    }
  }

  private static void negativeSquare(float[] v, float from, int n) {
    for (int i = 0; i < n; i++) {
      v[i] = from - v[i] * v[i];
    }
  }

  private static void sigmoid(float[] v, int n) {
    for (int i = 0; i < n; i++) {
      v[i] *= 1 - v[i];
    }
  }

  private static void silu(CurveBlock block, int n) {
    float[] v = block.v();
    float[] sigmoid = block.w();
    System.arraycopy(v, 0, sigmoid, 0, n);
    VectorMath.sigmoid(sigmoid, 0, n);
    for (int i = 0; i < n; i++) {
      v[i] = sigmoid[i] * (1 + v[i] * (1 - sigmoid[i]));
    }
  }

  private static void gelu(CurveBlock block, int n) {
    float[] v = block.v();
    float[] bell = block.w();
    float[] probability = block.u();
    VectorMath.bell(v, bell, n);
    VectorMath.normalProbability(v, bell, probability, n);
    for (int i = 0; i < n; i++) {
      v[i] = probability[i] + v[i] * (DENSITY * bell[i]);
    }
  }
}
