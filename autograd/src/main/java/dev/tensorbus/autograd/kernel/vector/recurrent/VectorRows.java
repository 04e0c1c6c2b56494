// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.recurrent;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.LANES;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.SPECIES;

import dev.tensorbus.autograd.kernel.Slice;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;

/// What the steps of recurrent networks are made of, each a pass over `n` values; results may go
/// where an operand lies. Values stay in the first-level cache from pass to pass: in one pass
/// with all of it C2 gives up inlining and boxes the vectors.
final class VectorRows {
  private VectorRows() {}

  /// `a + b`.
  static void add(int n, Slice<float[]> a, Slice<float[]> b, Slice<float[]> sum) {
    for (int i = 0; i < n; i += LANES) {
      VectorMask<Float> present = SPECIES.indexInRange(i, n);
      put(get(a, i, present).add(get(b, i, present)), sum, i, present);
    }
  }

  /// `a - b`.
  static void subtract(int n, Slice<float[]> a, Slice<float[]> b, Slice<float[]> difference) {
    for (int i = 0; i < n; i += LANES) {
      VectorMask<Float> present = SPECIES.indexInRange(i, n);
      put(get(a, i, present).sub(get(b, i, present)), difference, i, present);
    }
  }

  /// `a * b`.
  static void multiply(int n, Slice<float[]> a, Slice<float[]> b, Slice<float[]> product) {
    for (int i = 0; i < n; i += LANES) {
      VectorMask<Float> present = SPECIES.indexInRange(i, n);
      put(get(a, i, present).mul(get(b, i, present)), product, i, present);
    }
  }

  /// `sum + a * b`, in place.
  static void multiplyAdd(int n, Slice<float[]> a, Slice<float[]> b, Slice<float[]> sum) {
    for (int i = 0; i < n; i += LANES) {
      VectorMask<Float> present = SPECIES.indexInRange(i, n);
      put(get(a, i, present).fma(get(b, i, present), get(sum, i, present)), sum, i, present);
    }
  }

  /// `1 / (1 + exp(-x))`.
  static void sigmoid(int n, Slice<float[]> x, Slice<float[]> y) {
    for (int i = 0; i < n; i += LANES) {
      VectorMask<Float> present = SPECIES.indexInRange(i, n);
      put(VectorSigmoid.sigmoid(get(x, i, present)), y, i, present);
    }
  }

  /// `factor * y * (1 - y)`, in place of the factor: the gradient where a logistic function has
  /// the value y.
  static void sigmoidGradient(int n, Slice<float[]> y, Slice<float[]> factor) {
    for (int i = 0; i < n; i += LANES) {
      VectorMask<Float> present = SPECIES.indexInRange(i, n);
      FloatVector value = get(y, i, present);
      FloatVector slope = value.sub(value.mul(value));
      put(get(factor, i, present).mul(slope), factor, i, present);
    }
  }

  /// `tanh(x)`.
  static void tanh(int n, Slice<float[]> x, Slice<float[]> y) {
    for (int i = 0; i < n; i += LANES) {
      VectorMask<Float> present = SPECIES.indexInRange(i, n);
      put(VectorSigmoid.tanh(get(x, i, present)), y, i, present);
    }
  }

  /// `factor * (1 - y * y)`, in place of the factor: the gradient where a hyperbolic tangent has
  /// the value y.
  static void tanhGradient(int n, Slice<float[]> y, Slice<float[]> factor) {
    for (int i = 0; i < n; i += LANES) {
      VectorMask<Float> present = SPECIES.indexInRange(i, n);
      FloatVector value = get(y, i, present);
      FloatVector slope = FloatVector.broadcast(SPECIES, 1f).sub(value.mul(value));
      put(get(factor, i, present).mul(slope), factor, i, present);
    }
  }

  private static FloatVector get(Slice<float[]> slice, int i, VectorMask<Float> present) {
    return FloatVector.fromArray(SPECIES, slice.values(), slice.start() + i, present);
  }

  private static void put(
      FloatVector value, Slice<float[]> slice, int i, VectorMask<Float> present) {
    value.intoArray(slice.values(), slice.start() + i, present);
  }
}
