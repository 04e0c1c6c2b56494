// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data.transform;

/// Resamples an axis to a new length: each new pixel is a weighted mean of neighbouring old pixels.
/// The weights equal those of Pillow and of torch's `interpolate` with `antialias=True`.
///
/// @param length the old length
/// @param first for each new pixel, the index of its first neighbour
/// @param weights for each new pixel, the weights of its neighbours, which are consecutive
record Resampling(int length, int[] first, float[][] weights) {
  /// Computes the weights for resampling from one length to another.
  static Resampling of(int length, int newLength) {
    double scale = (double) length / newLength;
    double reach = Math.max(scale, 1);
    int[] first = new int[newLength];
    float[][] weights = new float[newLength][];
    for (int i = 0; i < newLength; i++) {
      double middle = (i + 0.5) * scale;
      first[i] = Math.max((int) (middle - reach + 0.5), 0);
      int end = Math.min((int) (middle + reach + 0.5), length);
      weights[i] = triangle((first[i] + 0.5 - middle) / reach, 1 / reach, end - first[i]);
    }
    return new Resampling(length, first, weights);
  }

  /// Samples the triangle filter `max(0, 1 - |x|)` at `count` points: `start`, `start + step` and
  /// so on. Normalizes the weights to a sum of 1.
  private static float[] triangle(double start, double step, int count) {
    double[] heights = new double[count];
    double sum = 0;
    for (int i = 0; i < count; i++) {
      heights[i] = Math.max(0, 1 - Math.abs(start + i * step));
      sum += heights[i];
    }
    float[] weights = new float[count];
    for (int i = 0; i < count; i++) {
      weights[i] = (float) (heights[i] / sum);
    }
    return weights;
  }

  /// Resamples the middle axis of an array of shape `[outer, length, inner]`.
  float[] apply(float[] values, int outer, int inner) {
    float[] changed = new float[outer * first.length * inner];
    for (int block = 0; block < outer; block++) {
      for (int i = 0; i < first.length; i++) {
        int to = (block * first.length + i) * inner;
        for (int near = 0; near < weights[i].length; near++) {
          int from = (block * length + first[i] + near) * inner;
          add(changed, to, weights[i][near], values, from, inner);
        }
      }
    }
    return changed;
  }

  private static void add(float[] sum, int to, float weight, float[] values, int from, int count) {
    for (int i = 0; i < count; i++) {
      sum[to + i] += weight * values[from + i];
    }
  }
}
