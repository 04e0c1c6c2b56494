// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.elementwise;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.LANES;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.SPECIES;

import dev.tensorbus.autograd.kernel.UnaryFunction;
import dev.tensorbus.autograd.kernel.UnaryFunctions;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import org.jspecify.annotations.Nullable;

/// Computes derivatives. Each method replaces the first `n` values of a block, which the forward
/// pass saved, with the derivatives computed from them.
public final class VectorDerivatives {
  /// The density of the standard normal distribution at 0.
  private static final float DENSITY = (float) (1 / Math.sqrt(2 * Math.PI));

  private VectorDerivatives() {}

  /// Returns the passes that compute the derivative of a function; null if there are none.
  public static FunctionBlock.@Nullable Passes of(UnaryFunction function) {
    return switch (function) {
      case UnaryFunctions.ABS -> (block, n) -> sign(block.v(), n);
      case UnaryFunction.LeakyRelu leaky ->
          (block, n) -> step(block.v(), (float) leaky.negativeSlope(), n);
      case UnaryFunctions.EXP -> (block, n) -> {};
      case UnaryFunctions.SQRT -> VectorFunctions.power(0.5, -1);
      case UnaryFunctions.RECIPROCAL -> (block, n) -> negativeSquare(block.v(), 0f, n);
      case UnaryFunctions.TANH -> (block, n) -> negativeSquare(block.v(), 1f, n);
      case UnaryFunctions.SIGMOID -> (block, n) -> sigmoid(block.v(), n);
      case UnaryFunctions.SOFTPLUS -> (block, n) -> VectorMath.sigmoid(block.v(), 0, n);
      case UnaryFunctions.SILU -> VectorDerivatives::silu;
      case UnaryFunctions.GELU -> VectorDerivatives::gelu;
      case UnaryFunctions.GELU_TANH -> VectorFunctions::geluTanhDerivative;
      case UnaryFunctions.NORMAL_PROBABILITY -> VectorDerivatives::density;
      case UnaryFunction.Clamp clamp ->
          (block, n) -> within(block.v(), (float) clamp.min(), (float) clamp.max(), n);
      case UnaryFunction.Power power when power.exponent() != 0 ->
          VectorFunctions.power(power.exponent(), power.exponent() - 1);
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

  /// Replaces values between the bounds, inclusive, with 1, and all others with 0.
  private static void within(float[] v, float min, float max, int n) {
    for (int i = 0; i < n; i += LANES) {
      FloatVector x = FloatVector.fromArray(SPECIES, v, i);
      VectorMask<Float> isWithin =
          x.compare(VectorOperators.GE, min).and(x.compare(VectorOperators.LE, max));
      FloatVector.zero(SPECIES).blend(1f, isWithin).intoArray(v, i);
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

  private static void silu(FunctionBlock block, int n) {
    float[] v = block.v();
    float[] sigmoid = block.w();
    System.arraycopy(v, 0, sigmoid, 0, n);
    VectorMath.sigmoid(sigmoid, 0, n);
    for (int i = 0; i < n; i++) {
      v[i] = sigmoid[i] * (1 + v[i] * (1 - sigmoid[i]));
    }
  }

  private static void gelu(FunctionBlock block, int n) {
    float[] v = block.v();
    float[] bell = block.w();
    float[] probability = block.u();
    VectorMath.normal(v, bell, probability, n);
    for (int i = 0; i < n; i++) {
      v[i] = probability[i] + v[i] * (DENSITY * bell[i]);
    }
  }

  private static void density(FunctionBlock block, int n) {
    float[] v = block.v();
    float[] bell = block.w();
    VectorMath.normal(v, bell, block.u(), n);
    for (int i = 0; i < n; i++) {
      v[i] = DENSITY * bell[i];
    }
  }
}
