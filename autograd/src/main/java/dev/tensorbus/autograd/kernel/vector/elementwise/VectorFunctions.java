// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.elementwise;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.LANES;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.SPECIES;

import dev.tensorbus.autograd.kernel.UnaryFunction;
import dev.tensorbus.autograd.kernel.UnaryFunctions;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import org.jspecify.annotations.Nullable;

/// Computes elementwise functions. Each method replaces the first `n` values of a block with the
/// results.
public final class VectorFunctions {
  private static final float GELU_SCALE = (float) Math.sqrt(2 / Math.PI);
  private static final float GELU_CUBIC = 0.044715f;

  private VectorFunctions() {}

  /// Returns the passes that compute a function; null if there are none and a plain loop must be
  /// used.
  public static FunctionBlock.@Nullable Passes of(UnaryFunction function) {
    return switch (function) {
      case UnaryFunctions.EXP -> (block, n) -> VectorMath.exp(block.v(), n);
      case UnaryFunctions.LOG -> (block, n) -> VectorMath.log(block.v(), n);
      case UnaryFunctions.SIGMOID -> (block, n) -> VectorMath.sigmoid(block.v(), 0, n);
      case UnaryFunctions.TANH -> (block, n) -> VectorMath.tanh(block.v(), 0, n);
      case UnaryFunctions.SOFTPLUS ->
          (block, n) -> VectorMath.softplus(block.v(), block.w(), block.u(), n);
      case UnaryFunctions.SILU -> VectorFunctions::silu;
      case UnaryFunctions.GELU -> VectorFunctions::gelu;
      case UnaryFunctions.GELU_TANH -> VectorFunctions::geluTanh;
      case UnaryFunctions.NORMAL_PROBABILITY -> VectorFunctions::probability;
      case UnaryFunctions.RECIPROCAL -> power(1, -1);
      case UnaryFunctions.SQRT -> (block, n) -> sqrt(block.v(), n);
      case UnaryFunction.LeakyRelu leaky -> (block, n) -> leakyRelu(block.v(), leaky, n);
      case UnaryFunction.Clamp clamp ->
          (block, n) -> clamp(block.v(), (float) clamp.min(), (float) clamp.max(), n);
      case UnaryFunction.Power power -> power(1, power.exponent());
      default -> null;
    };
  }

  /// Returns the passes that compute `factor * x^exponent`; null unless the exponent is -2, -1, 1,
  /// 2 or 3.
  static FunctionBlock.@Nullable Passes power(double factor, double exponent) {
    float f = (float) factor;
    return switch ((int) exponent == exponent ? (int) exponent : Integer.MAX_VALUE) {
      case -2 -> (block, n) -> inverseSquares(block.v(), f, n);
      case -1 -> (block, n) -> inverses(block.v(), f, n);
      case 1 -> (block, n) -> multiples(block.v(), f, n);
      case 2 -> (block, n) -> squares(block.v(), f, n);
      case 3 -> (block, n) -> cubes(block.v(), f, n);
      default -> null;
    };
  }

  private static void inverseSquares(float[] v, float factor, int n) {
    for (int i = 0; i < n; i++) {
      v[i] = factor / (v[i] * v[i]);
    }
  }

  private static void inverses(float[] v, float factor, int n) {
    for (int i = 0; i < n; i++) {
      v[i] = factor / v[i];
    }
  }

  private static void multiples(float[] v, float factor, int n) {
    for (int i = 0; i < n; i++) {
      v[i] *= factor;
    }
  }

  private static void squares(float[] v, float factor, int n) {
    for (int i = 0; i < n; i++) {
      v[i] = factor * (v[i] * v[i]);
    }
  }

  private static void cubes(float[] v, float factor, int n) {
    for (int i = 0; i < n; i++) {
      v[i] = factor * (v[i] * v[i] * v[i]);
    }
  }

  private static void clamp(float[] v, float min, float max, int n) {
    for (int i = 0; i < n; i += LANES) {
      FloatVector x = FloatVector.fromArray(SPECIES, v, i);
      FloatVector raised = x.blend(min, x.compare(VectorOperators.LT, min));
      raised.blend(max, raised.compare(VectorOperators.GT, max)).intoArray(v, i);
    }
  }

  private static void sqrt(float[] v, int n) {
    for (int i = 0; i < n; i++) {
      v[i] = (float) Math.sqrt(v[i]);
    }
  }

  private static void leakyRelu(float[] v, UnaryFunction.LeakyRelu function, int n) {
    float slope = (float) function.negativeSlope();
    for (int i = 0; i < n; i += LANES) {
      FloatVector x = FloatVector.fromArray(SPECIES, v, i);
      x.mul(slope).blend(x, x.compare(VectorOperators.GT, 0f)).intoArray(v, i);
    }
  }

  private static void silu(FunctionBlock block, int n) {
    System.arraycopy(block.v(), 0, block.w(), 0, n);
    VectorMath.sigmoid(block.w(), 0, n);
    multiply(block.v(), block.w(), n);
  }

  private static void gelu(FunctionBlock block, int n) {
    VectorMath.normal(block.v(), block.w(), block.u(), n);
    multiply(block.v(), block.u(), n);
  }

  private static void probability(FunctionBlock block, int n) {
    VectorMath.normal(block.v(), block.w(), block.u(), n);
    System.arraycopy(block.u(), 0, block.v(), 0, n);
  }

  private static void multiply(float[] v, float[] factors, int n) {
    for (int i = 0; i < n; i++) {
      v[i] *= factors[i];
    }
  }

  private static void geluTanh(FunctionBlock block, int n) {
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

  /// Computes the derivative `(1 + t) / 2 + x / 2 * (1 - t * t) * u'`, where `t = tanh(u)` and `u =
  /// GELU_SCALE * (x + GELU_CUBIC * x³)`.
  static void geluTanhDerivative(FunctionBlock block, int n) {
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
