// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.elementwise;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.LANES;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.SPECIES;

import dev.tensorbus.autograd.kernel.Curve;
import dev.tensorbus.autograd.kernel.Curves;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import org.jspecify.annotations.Nullable;

/// The values of curves: each replaces the first `n` values of a block.
public final class VectorCurves {
  private static final float GELU_SCALE = (float) Math.sqrt(2 / Math.PI);
  private static final float GELU_CUBIC = 0.044715f;

  private VectorCurves() {}

  /// The passes of a curve; null where plain loops are as fast, or there are none.
  public static CurveBlock.@Nullable Passes of(Curve curve) {
    return switch (curve) {
      case Curves.EXP -> (block, n) -> VectorMath.exp(block.v(), n);
      case Curves.LOG -> (block, n) -> VectorMath.log(block.v(), n);
      case Curves.SIGMOID -> (block, n) -> VectorMath.sigmoid(block.v(), 0, n);
      case Curves.TANH -> (block, n) -> VectorMath.tanh(block.v(), 0, n);
      case Curves.SOFTPLUS -> (block, n) -> VectorMath.softplus(block.v(), block.w(), block.u(), n);
      case Curves.SILU -> VectorCurves::silu;
      case Curves.GELU -> VectorCurves::gelu;
      case Curves.GELU_TANH -> VectorCurves::geluTanh;
      case Curves.RECIPROCAL -> (block, n) -> reciprocal(block.v(), n);
      case Curves.SQRT -> (block, n) -> sqrt(block.v(), n);
      case Curve.LeakyRelu leaky -> (block, n) -> leakyRelu(block.v(), leaky, n);
      default -> null;
    };
  }

  private static void reciprocal(float[] v, int n) {
    for (int i = 0; i < n; i++) {
      v[i] = 1f / v[i];
    }
  }

  private static void sqrt(float[] v, int n) {
    for (int i = 0; i < n; i++) {
      v[i] = (float) Math.sqrt(v[i]);
    }
  }

  private static void leakyRelu(float[] v, Curve.LeakyRelu curve, int n) {
    float slope = (float) curve.negativeSlope();
    for (int i = 0; i < n; i += LANES) {
      FloatVector x = FloatVector.fromArray(SPECIES, v, i);
      x.mul(slope).blend(x, x.compare(VectorOperators.GT, 0f)).intoArray(v, i);
    }
  }

  private static void silu(CurveBlock block, int n) {
    System.arraycopy(block.v(), 0, block.w(), 0, n);
    VectorMath.sigmoid(block.w(), 0, n);
    multiply(block.v(), block.w(), n);
  }

  private static void gelu(CurveBlock block, int n) {
    VectorMath.bell(block.v(), block.w(), n);
    VectorMath.normalProbability(block.v(), block.w(), block.u(), n);
    multiply(block.v(), block.u(), n);
  }

  private static void multiply(float[] v, float[] factors, int n) {
    for (int i = 0; i < n; i++) {
      v[i] *= factors[i];
    }
  }

  private static void geluTanh(CurveBlock block, int n) {
    float[] v = block.v();
    float[] tanh = block.w();
    geluTangent(v, tanh, n);
    for (int i = 0; i < n; i++) {
      v[i] = v[i] / 2 * (1 + tanh[i]);
    }
  }

  private static void geluTangent(float[] x, float[] tanh, int n) {
    for (int i = 0; i < n; i++) {
      tanh[i] = GELU_SCALE * (x[i] + GELU_CUBIC * x[i] * x[i] * x[i]);
    }
    VectorMath.tanh(tanh, 0, n);
  }

  /// `(1 + t) / 2 + x / 2 * (1 - t * t) * (the argument's slope)` for the tangent `t`.
  static void geluTanhSlope(CurveBlock block, int n) {
    float[] v = block.v();
    float[] tanh = block.w();
    geluTangent(v, tanh, n);
    for (int i = 0; i < n; i++) {
      float t = tanh[i];
      float inner = GELU_SCALE * (1 + 3 * GELU_CUBIC * v[i] * v[i]);
      v[i] = (1 + t) / 2 + v[i] / 2 * (1 - t * t) * inner;
    }
  }
}
