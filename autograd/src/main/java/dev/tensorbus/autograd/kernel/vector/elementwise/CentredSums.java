// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.elementwise;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.LANES;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.SPECIES;

import dev.tensorbus.autograd.kernel.Moments;
import dev.tensorbus.autograd.kernel.shape.NormalizationShape;
import dev.tensorbus.autograd.kernel.vector.product.LaneSums;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;

/// Sums of deviations and of their products. Blocks of values are summed in float, and the sums of
/// the blocks in double. Not thread-safe.
final class CentredSums {
  /// The number of values that are summed in float before their sum is added to a double.
  static final int BLOCK = 1024;

  private final float[] vector = new float[LANES];
  private final float[] lanes = new float[2 * LANES];
  private double sum;
  private double products;

  /// Returns the sum of `a[i] - aCentre`.
  double sum() {
    return sum;
  }

  /// Returns the sum of `(a[i] - aCentre) * (b[i] - bCentre)`.
  double products() {
    return products;
  }

  /// Clears the sums.
  void clear() {
    sum = 0;
    products = 0;
  }

  /// Computes a group's mean and variance.
  void findMoments(NormalizationShape shape, float[] x, int group, Moments moments) {
    double count = (double) x.length / shape.groups();
    int size = shape.size();
    int step = shape.groups() * size;
    double rough = 0;
    for (int start = group * size; start < x.length; start += step) {
      for (int i = start; i < start + size; i += BLOCK) {
        rough += VectorElementwise.sum(x, i, Math.min(start + size, i + BLOCK), vector);
      }
    }
    float centre = (float) (rough / count);
    clear();
    for (int start = group * size; start < x.length; start += step) {
      add(x, centre, x, centre, start, start + size);
    }
    // Corrects for the rounding of the centre, which matters if the centre is much larger than the
    // deviations.
    double rest = sum / count;
    moments.mean()[group] = Float.isFinite(centre) ? centre + rest : centre;
    moments.variance()[group] = products / count - rest * rest;
  }

  /// Adds the deviations at indices from `first` (inclusive) to `end` (exclusive), and their
  /// products.
  void add(float[] a, float aCentre, float[] b, float bCentre, int first, int end) {
    for (int i = first; i < end; i += BLOCK) {
      addBlock(a, aCentre, b, bCentre, i, Math.min(end, i + BLOCK), lanes);
      sum += LaneSums.sum(lanes, 0);
      products += LaneSums.sum(lanes, LANES);
    }
  }

  private static void addBlock(
      float[] a, float aCentre, float[] b, float bCentre, int first, int end, float[] lanes) {
    FloatVector s0 = FloatVector.zero(SPECIES);
    FloatVector s1 = s0;
    FloatVector p0 = s0;
    FloatVector p1 = s0;
    int i = first;
    for (; i <= end - 2 * LANES; i += 2 * LANES) {
      FloatVector a0 = FloatVector.fromArray(SPECIES, a, i).sub(aCentre);
      FloatVector a1 = FloatVector.fromArray(SPECIES, a, i + LANES).sub(aCentre);
      s0 = s0.add(a0);
      s1 = s1.add(a1);
      p0 = a0.fma(FloatVector.fromArray(SPECIES, b, i).sub(bCentre), p0);
      p1 = a1.fma(FloatVector.fromArray(SPECIES, b, i + LANES).sub(bCentre), p1);
    }
    for (; i < end; i += LANES) {
      VectorMask<Float> present = SPECIES.indexInRange(i, end);
      FloatVector a0 = FloatVector.fromArray(SPECIES, a, i, present).sub(aCentre, present);
      FloatVector b0 = FloatVector.fromArray(SPECIES, b, i, present).sub(bCentre, present);
      s0 = s0.add(a0);
      p0 = a0.fma(b0, p0);
    }
    s0.add(s1).intoArray(lanes, 0);
    p0.add(p1).intoArray(lanes, LANES);
  }
}
