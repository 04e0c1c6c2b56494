// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.elementwise;

import dev.tensorbus.autograd.kernel.Moments;
import dev.tensorbus.autograd.kernel.Parallel;
import dev.tensorbus.autograd.kernel.shape.NormalizationShape;
import java.util.function.IntConsumer;

/// Implements [dev.tensorbus.autograd.kernel.Arithmetic#normalize] and its gradients for channels
/// whose values form contiguous rows, as in batch and group normalization of images. One thread
/// computes a whole group. In each row, `y = (x - mean) * a + b` with constant `a` and `b`.
public record RowNormalization(NormalizationShape shape) {
  /// The number of values (about 30 microseconds of work) that makes waking a thread worthwhile.
  private static final int SMALLEST_SHARE = 1 << 16;

  /// Computes the normalized values, and the mean and variance of each group.
  public void run(
      Parallel parallel, float[] x, float[] weight, float[] bias, Moments moments, float[] y) {
    divide(
        parallel,
        x.length,
        (first, end) -> {
          CentredSums sums = new CentredSums();
          for (int group = first; group < end; group++) {
            sums.findMoments(shape, x, group, moments);
            writeGroup(group, x, weight, bias, moments, y);
          }
        });
  }

  private void divide(Parallel parallel, int length, Parallel.Share share) {
    long smallest = (long) SMALLEST_SHARE * shape.groups() / Math.max(1, length);
    parallel.divide(shape.groups(), (int) Math.max(1, smallest), share);
  }

  /// Calls `row` with the offset of each row of a group.
  private void forEachRow(int group, int length, IntConsumer row) {
    int size = shape.size();
    for (int start = group * size; start < length; start += shape.groups() * size) {
      for (int i = start; i < start + size; i += shape.inner()) {
        row.accept(i);
      }
    }
  }

  private void writeGroup(
      int group, float[] x, float[] weight, float[] bias, Moments moments, float[] y) {
    double mean = moments.mean()[group];
    float centre = (float) mean;
    double factor = shape.factor(moments.variance()[group]);
    forEachRow(
        group,
        x.length,
        start -> {
          int channel = shape.channel(start);
          double scale = factor * weight[channel];
          double shift = bias[channel] - (mean - centre) * scale;
          int end = start + shape.inner();
          writeRow(x, centre, (float) scale, (float) shift, start, end, y);
        });
  }

  private static void writeRow(
      float[] x, float centre, float scale, float shift, int start, int end, float[] y) {
    for (int i = start; i < end; i++) {
      y[i] = Math.fma(x[i] - centre, scale, shift);
    }
  }

  /// Computes the gradients of the values, the weight and the bias.
  public void runGradient(
      Parallel parallel,
      float[] x,
      float[] weight,
      Moments moments,
      float[] gradient,
      float[] xGradient,
      float[] weightGradient,
      float[] biasGradient) {
    double[] totals = new double[x.length / shape.inner()];
    double[] slopes = new double[totals.length];
    divide(
        parallel,
        x.length,
        (first, end) -> {
          CentredSums sums = new CentredSums();
          for (int group = first; group < end; group++) {
            sumRows(group, x, moments, gradient, sums, totals, slopes);
            writeGradient(group, x, weight, moments, gradient, totals, slopes, xGradient);
          }
        });
    sumChannels(totals, biasGradient);
    sumChannels(slopes, weightGradient);
  }

  /// Computes, for each row of a group, the sum of the gradient and the sum of the gradient times
  /// the normalized values.
  private void sumRows(
      int group,
      float[] x,
      Moments moments,
      float[] gradient,
      CentredSums sums,
      double[] totals,
      double[] slopes) {
    double mean = moments.mean()[group];
    float centre = (float) mean;
    double factor = shape.factor(moments.variance()[group]);
    forEachRow(
        group,
        x.length,
        start -> {
          sums.clear();
          sums.add(gradient, 0, x, centre, start, start + shape.inner());
          int row = start / shape.inner();
          totals[row] = sums.sum();
          slopes[row] = (sums.products() - (mean - centre) * sums.sum()) * factor;
        });
  }

  private void writeGradient(
      int group,
      float[] x,
      float[] weight,
      Moments moments,
      float[] gradient,
      double[] totals,
      double[] slopes,
      float[] xGradient) {
    double[] means = new double[2];
    double count = (double) x.length / shape.groups();
    forEachRow(
        group,
        x.length,
        start -> {
          float scale = weight[shape.channel(start)];
          means[0] += scale * totals[start / shape.inner()] / count;
          means[1] += scale * slopes[start / shape.inner()] / count;
        });
    double mean = moments.mean()[group];
    float centre = (float) mean;
    double factor = shape.factor(moments.variance()[group]);
    double slope = -factor * factor * means[1];
    double shift = -factor * means[0] - (mean - centre) * slope;
    forEachRow(
        group,
        x.length,
        start -> {
          float scale = (float) (factor * weight[shape.channel(start)]);
          int end = start + shape.inner();
          for (int i = start; i < end; i++) {
            float rest = Math.fma(x[i] - centre, (float) slope, (float) shift);
            xGradient[i] = Math.fma(gradient[i], scale, rest);
          }
        });
  }

  /// For each channel, adds up the sums of its rows in order.
  private void sumChannels(double[] rows, float[] sums) {
    int channels = shape.channels();
    for (int channel = 0; channel < channels; channel++) {
      double sum = 0;
      for (int row = channel; row < rows.length; row += channels) {
        sum += rows[row];
      }
      sums[channel] = (float) sum;
    }
  }
}
