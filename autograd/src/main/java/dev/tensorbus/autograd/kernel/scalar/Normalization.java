// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.scalar;

import dev.tensorbus.autograd.kernel.Moments;
import dev.tensorbus.autograd.kernel.shape.NormalizationShape;
import java.util.Arrays;

/// The reference implementation of [dev.tensorbus.autograd.kernel.Arithmetic#normalize] and its
/// gradients in float64, and a float32 version of the gradients that rounds their results.
final class Normalization {
  private Normalization() {}

  static void run(
      NormalizationShape shape,
      double[] x,
      double[] weight,
      double[] bias,
      Moments moments,
      double[] y) {
    double[] rests = findMoments(shape, x, moments);
    double[] factors = factors(shape, moments);
    for (int i = 0; i < x.length; i++) {
      int group = shape.group(i);
      int channel = shape.channel(i);
      double normal = (x[i] - moments.mean()[group] - rests[group]) * factors[group];
      y[i] = normal * weight[channel] + bias[channel];
    }
  }

  /// Computes the mean and the variance of each group. Returns the errors of the rounded means; see
  /// [#rests].
  private static double[] findMoments(NormalizationShape shape, double[] x, Moments moments) {
    double count = (double) x.length / shape.groups();
    double[] mean = moments.mean();
    Arrays.fill(mean, 0);
    for (int i = 0; i < x.length; i++) {
      mean[shape.group(i)] += x[i];
    }
    divide(mean, count);
    double[] rests = rests(shape, x, mean);
    double[] variance = moments.variance();
    Arrays.fill(variance, 0);
    for (int i = 0; i < x.length; i++) {
      int group = shape.group(i);
      double deviation = x[i] - mean[group] - rests[group];
      variance[group] += deviation * deviation;
    }
    divide(variance, count);
    return rests;
  }

  /// Returns, for each group, the error of its rounded mean. This error matters because the
  /// deviations may be much smaller than the mean.
  private static double[] rests(NormalizationShape shape, double[] x, double[] mean) {
    double[] rests = new double[shape.groups()];
    for (int i = 0; i < x.length; i++) {
      rests[shape.group(i)] += x[i] - mean[shape.group(i)];
    }
    divide(rests, (double) x.length / shape.groups());
    return rests;
  }

  static void gradient(
      NormalizationShape shape,
      double[] x,
      double[] weight,
      Moments moments,
      double[] gradient,
      double[] xGradient,
      double[] weightGradient,
      double[] biasGradient) {
    double[] factors = factors(shape, moments);
    double[] rests = rests(shape, x, moments.mean());
    double[] mean = new double[shape.groups()];
    double[] slope = new double[shape.groups()];
    Arrays.fill(weightGradient, 0);
    Arrays.fill(biasGradient, 0);
    for (int i = 0; i < x.length; i++) {
      int group = shape.group(i);
      int channel = shape.channel(i);
      double normal = (x[i] - moments.mean()[group] - rests[group]) * factors[group];
      biasGradient[channel] += gradient[i];
      weightGradient[channel] += gradient[i] * normal;
      mean[group] += gradient[i] * weight[channel];
      slope[group] += gradient[i] * weight[channel] * normal;
    }
    divide(mean, (double) x.length / shape.groups());
    divide(slope, (double) x.length / shape.groups());
    for (int i = 0; i < x.length; i++) {
      int group = shape.group(i);
      double normal = (x[i] - moments.mean()[group] - rests[group]) * factors[group];
      double centred = gradient[i] * weight[shape.channel(i)] - mean[group] - normal * slope[group];
      xGradient[i] = centred * factors[group];
    }
  }

  static void gradient(
      NormalizationShape shape,
      float[] x,
      float[] weight,
      Moments moments,
      float[] gradient,
      float[] xGradient,
      float[] weightGradient,
      float[] biasGradient) {
    double[] exact = new double[xGradient.length];
    double[] exactWeight = new double[weightGradient.length];
    double[] exactBias = new double[biasGradient.length];
    gradient(
        shape,
        Rounding.widened(x),
        Rounding.widened(weight),
        moments,
        Rounding.widened(gradient),
        exact,
        exactWeight,
        exactBias);
    Rounding.round(exact, xGradient);
    Rounding.round(exactWeight, weightGradient);
    Rounding.round(exactBias, biasGradient);
  }

  private static double[] factors(NormalizationShape shape, Moments moments) {
    return Arrays.stream(moments.variance()).map(shape::factor).toArray();
  }

  private static void divide(double[] sums, double count) {
    for (int i = 0; i < sums.length; i++) {
      sums[i] /= count;
    }
  }
}
