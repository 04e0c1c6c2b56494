// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.elementwise;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.LANES;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.SPECIES;

import dev.tensorbus.autograd.kernel.Moments;
import dev.tensorbus.autograd.kernel.Parallel;
import dev.tensorbus.autograd.kernel.shape.NormalizationShape;
import dev.tensorbus.autograd.kernel.vector.product.LaneSums;
import jdk.incubator.vector.FloatVector;

/// Implements [dev.tensorbus.autograd.kernel.Arithmetic#normalize] and its gradients for groups
/// that are rows in which every value has a separate weight and bias, as in layer normalization,
/// and in group normalization of `[n, channels]`.
///
/// The gradients of weight and bias are summed in float within a block of rows. The sums of the
/// blocks are added in double, in a fixed order, so that the results do not depend on the number of
/// threads.
public record PositionNormalization(NormalizationShape shape) {
  /// The number of values (about 30 microseconds of work) that makes waking a thread worthwhile.
  private static final int SMALLEST_SHARE = 1 << 16;

  /// The number of rows in a block.
  private static final int ROWS = 64;

  /// Computes the normalized values, and the mean and variance of each row.
  public void run(
      Parallel parallel, float[] x, float[] weight, float[] bias, Moments moments, float[] y) {
    parallel.divide(
        shape.groups(),
        Math.max(1, SMALLEST_SHARE / shape.size()),
        (first, end) -> {
          CentredSums sums = new CentredSums();
          for (int row = first; row < end; row++) {
            sums.findMoments(shape, x, row, moments);
            writeRow(x, weight, bias, row, Scale.of(shape, moments, row), y);
          }
        });
  }

  /// The parameters of a row's normalization: `(x - centre) * factor + shift`.
  private record Scale(float centre, float factor, float shift) {
    private static Scale of(NormalizationShape shape, Moments moments, int row) {
      double mean = moments.mean()[row];
      float centre = (float) mean;
      double factor = shape.factor(moments.variance()[row]);
      return new Scale(centre, (float) factor, (float) ((centre - mean) * factor));
    }

    private float normal(float x) {
      return Math.fma(x - centre, factor, shift);
    }
  }

  private void writeRow(float[] x, float[] weight, float[] bias, int row, Scale scale, float[] y) {
    int size = shape.size();
    int start = row * size;
    int w = shape.channel(start);
    FloatVector centre = FloatVector.broadcast(SPECIES, scale.centre);
    FloatVector factor = FloatVector.broadcast(SPECIES, scale.factor);
    FloatVector shift = FloatVector.broadcast(SPECIES, scale.shift);
    int j = 0;
    for (; j <= size - LANES; j += LANES) {
      FloatVector normal =
          FloatVector.fromArray(SPECIES, x, start + j).sub(centre).fma(factor, shift);
      normal
          .fma(
              FloatVector.fromArray(SPECIES, weight, w + j),
              FloatVector.fromArray(SPECIES, bias, w + j))
          .intoArray(y, start + j);
    }
    for (; j < size; j++) {
      y[start + j] = Math.fma(scale.normal(x[start + j]), weight[w + j], bias[w + j]);
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
    int blocks = (shape.groups() + ROWS - 1) / ROWS;
    float[][] weightSums = new float[blocks][shape.channels()];
    float[][] biasSums = new float[blocks][shape.channels()];
    parallel.divide(
        blocks,
        Math.max(1, SMALLEST_SHARE / shape.size() / ROWS),
        (first, end) -> {
          float[] lanes = new float[2 * LANES];
          int lastRow = Math.min(shape.groups(), end * ROWS);
          for (int row = first * ROWS; row < lastRow; row++) {
            Scale scale = Scale.of(shape, moments, row);
            float[] weightSum = weightSums[row / ROWS];
            float[] biasSum = biasSums[row / ROWS];
            double sum = 0;
            double slope = 0;
            for (int j = 0; j < shape.size(); j += CentredSums.BLOCK) {
              addRow(x, weight, gradient, row, j, scale, weightSum, biasSum, lanes);
              sum += LaneSums.sum(lanes, 0);
              slope += LaneSums.sum(lanes, LANES);
            }
            float mean = (float) (sum / shape.size());
            writeGradient(
                x, weight, gradient, row, scale, mean, (float) (slope / shape.size()), xGradient);
          }
        });
    sum(weightSums, weightGradient);
    sum(biasSums, biasGradient);
  }

  /// Processes a block of a row's values, starting at `first`. Adds the gradient to `biasSum`, and
  /// the gradient times the normalized values to `weightSum`. Writes two vectors to `lanes`. The
  /// lanes of the first add up to the sum of the gradient times the weight, and the lanes of the
  /// second to the sum of the gradient times the weight times the normalized value.
  private void addRow(
      float[] x,
      float[] weight,
      float[] gradient,
      int row,
      int first,
      Scale scale,
      float[] weightSum,
      float[] biasSum,
      float[] lanes) {
    int start = row * shape.size();
    int w = shape.channel(start);
    int end = Math.min(shape.size(), first + CentredSums.BLOCK);
    FloatVector centre = FloatVector.broadcast(SPECIES, scale.centre);
    FloatVector factor = FloatVector.broadcast(SPECIES, scale.factor);
    FloatVector shift = FloatVector.broadcast(SPECIES, scale.shift);
    FloatVector sum = FloatVector.zero(SPECIES);
    FloatVector slope = sum;
    int j = first;
    for (; j <= end - LANES; j += LANES) {
      FloatVector g = FloatVector.fromArray(SPECIES, gradient, start + j);
      FloatVector normal =
          FloatVector.fromArray(SPECIES, x, start + j).sub(centre).fma(factor, shift);
      g.add(FloatVector.fromArray(SPECIES, biasSum, w + j)).intoArray(biasSum, w + j);
      g.fma(normal, FloatVector.fromArray(SPECIES, weightSum, w + j)).intoArray(weightSum, w + j);
      FloatVector scaled = g.mul(FloatVector.fromArray(SPECIES, weight, w + j));
      sum = sum.add(scaled);
      slope = scaled.fma(normal, slope);
    }
    sum.intoArray(lanes, 0);
    slope.intoArray(lanes, LANES);
    for (; j < end; j++) {
      float g = gradient[start + j];
      float normal = scale.normal(x[start + j]);
      biasSum[w + j] += g;
      weightSum[w + j] = Math.fma(g, normal, weightSum[w + j]);
      lanes[0] += g * weight[w + j];
      lanes[LANES] += g * weight[w + j] * normal;
    }
  }

  private void writeGradient(
      float[] x,
      float[] weight,
      float[] gradient,
      int row,
      Scale scale,
      float mean,
      float slope,
      float[] xGradient) {
    int size = shape.size();
    int start = row * size;
    int w = shape.channel(start);
    FloatVector centre = FloatVector.broadcast(SPECIES, scale.centre);
    FloatVector factor = FloatVector.broadcast(SPECIES, scale.factor);
    FloatVector shift = FloatVector.broadcast(SPECIES, scale.shift);
    FloatVector down = FloatVector.broadcast(SPECIES, -mean);
    FloatVector steep = FloatVector.broadcast(SPECIES, -slope);
    int j = 0;
    for (; j <= size - LANES; j += LANES) {
      FloatVector normal =
          FloatVector.fromArray(SPECIES, x, start + j).sub(centre).fma(factor, shift);
      FloatVector.fromArray(SPECIES, gradient, start + j)
          .fma(FloatVector.fromArray(SPECIES, weight, w + j), normal.fma(steep, down))
          .mul(factor)
          .intoArray(xGradient, start + j);
    }
    for (; j < size; j++) {
      float rest = Math.fma(scale.normal(x[start + j]), -slope, -mean);
      xGradient[start + j] = Math.fma(gradient[start + j], weight[w + j], rest) * scale.factor;
    }
  }

  private static void sum(float[][] blocks, float[] sums) {
    double[] exact = new double[sums.length];
    for (float[] block : blocks) {
      for (int j = 0; j < exact.length; j++) {
        exact[j] += block[j];
      }
    }
    for (int j = 0; j < exact.length; j++) {
      sums[j] = (float) exact[j];
    }
  }
}
