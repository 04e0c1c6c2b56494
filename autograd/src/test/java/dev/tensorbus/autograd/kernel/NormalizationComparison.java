// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

import dev.tensorbus.autograd.kernel.shape.NormalizationShape;

/// Layer, group and batch normalization.
final class NormalizationComparison extends Comparison {
  NormalizationComparison(Kernels expected, Kernels actual, float tolerance, long seed) {
    super(expected, actual, tolerance, seed);
  }

  @Override
  void run() {
    for (int size : SIZES) {
      normalizations(randoms(12 * size), size);
      normalizations(edges(12 * size), size);
    }
  }

  @Override
  void runLarge() {
    normalizations(randoms(480_000), 40_000);
  }

  /// Of images and of rows. The scale of a group whose values are nearly equal enlarges rounding
  /// errors, so epsilon is large.
  private void normalizations(float[] x, int n) {
    normalize(new NormalizationShape(12, n, n, 1, 0.1), x);
    normalize(new NormalizationShape(4, 3 * n, 6, n, 0.1), x);
    normalize(new NormalizationShape(6, 2 * n, 4 * n, 1, 0.1), x);
    normalize(new NormalizationShape(3, n, 3, n, 0.1), x);
    normalize(new NormalizationShape(n, 1, n, 1, 0.1), x);
  }

  private void normalize(NormalizationShape shape, float[] x) {
    int groups = shape.groups();
    int channels = shape.channels();
    int each = x.length / groups;
    float[] weight = randoms(channels);
    float[] bias = randoms(channels);
    compare(
        "normalize " + shape,
        each + 8,
        x.length,
        (k, y) -> k.normalize(shape, x, weight, bias, Moments.ofGroups(groups), y));
    for (int which = 0; which < 2; which++) {
      int moment = which;
      compare(
          (which == 0 ? "mean of " : "variance of ") + shape,
          each + 4,
          groups,
          (k, y) -> moments(k, shape, x, weight, bias, moment, y));
    }
    Moments moments = Moments.ofGroups(groups);
    expected.normalize(shape, x, weight, bias, moments, new float[x.length]);
    float[] gradient = randoms(x.length);
    for (int which = 0; which < 3; which++) {
      int input = which;
      compare(
          "gradient of input " + input + " of " + shape,
          8 * (each + x.length / channels),
          which == 0 ? x.length : channels,
          (k, y) -> {
            float[][] to = {new float[x.length], new float[channels], new float[channels]};
            to[input] = y;
            k.normalizeGradient(shape, x, weight, moments, gradient, to[0], to[1], to[2]);
          });
    }
  }

  private static void moments(
      Kernels kernels,
      NormalizationShape shape,
      float[] x,
      float[] weight,
      float[] bias,
      int which,
      float[] y) {
    Moments moments = Moments.ofGroups(shape.groups());
    kernels.normalize(shape, x, weight, bias, moments, new float[x.length]);
    double[] exact = which == 0 ? moments.mean() : moments.variance();
    rounded(y, sums -> System.arraycopy(exact, 0, sums, 0, sums.length));
  }
}
