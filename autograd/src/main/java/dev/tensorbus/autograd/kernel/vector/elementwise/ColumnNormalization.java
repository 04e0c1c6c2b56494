// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.elementwise;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.LANES;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.SPECIES;

import dev.tensorbus.autograd.kernel.Moments;
import dev.tensorbus.autograd.kernel.shape.NormalizationShape;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;

/// Implements [dev.tensorbus.autograd.kernel.Arithmetic#normalize] and its gradients for groups
/// that are the columns of a matrix, as in batch normalization of `[n, channels]`. The matrix is
/// read from front to back. Blocks of rows are summed in float, and the sums of the blocks in
/// double.
public record ColumnNormalization(NormalizationShape shape) {
  /// The number of rows in a block.
  private static final int ROWS = 32;

  /// Computes the normalized values, and the mean and variance of each column.
  public void run(float[] x, float[] weight, float[] bias, Moments moments, float[] y) {
    int columns = shape.channels();
    double rows = (double) x.length / columns;
    float[] centre = new float[columns];
    double[] mean = moments.mean();
    sum(x.length, (start, sums, none) -> addRow(x, start, sums), mean, new double[columns]);
    for (int j = 0; j < columns; j++) {
      centre[j] = (float) (mean[j] / rows);
    }
    double[] variance = moments.variance();
    sum(
        x.length,
        (start, sums, products) -> addRow(x, centre, x, centre, start, sums, products),
        mean,
        variance);
    float[] scale = new float[columns];
    float[] shift = new float[columns];
    for (int j = 0; j < columns; j++) {
      // Corrects for the rounding of the centre, which matters if the centre is much larger than
      // the deviations.
      double rest = mean[j] / rows;
      mean[j] = Float.isFinite(centre[j]) ? centre[j] + rest : centre[j];
      variance[j] = variance[j] / rows - rest * rest;
      double factor = shape.factor(variance[j]) * weight[j];
      scale[j] = (float) factor;
      shift[j] = (float) (bias[j] - rest * factor);
    }
    for (int start = 0; start < x.length; start += columns) {
      writeRow(x, start, centre, scale, shift, y);
    }
  }

  @FunctionalInterface
  private interface Row {
    /// Adds the row at `start` to the sums of the columns.
    void add(int start, float[] sums, float[] products);
  }

  private void sum(int length, Row row, double[] exactSums, double[] exactProducts) {
    int columns = shape.channels();
    Arrays.fill(exactSums, 0);
    Arrays.fill(exactProducts, 0);
    float[] sums = new float[columns];
    float[] products = new float[columns];
    for (int block = 0; block < length; block += ROWS * columns) {
      Arrays.fill(sums, 0);
      Arrays.fill(products, 0);
      int end = Math.min(length, block + ROWS * columns);
      for (int start = block; start < end; start += columns) {
        row.add(start, sums, products);
      }
      for (int j = 0; j < columns; j++) {
        exactSums[j] += sums[j];
        exactProducts[j] += products[j];
      }
    }
  }

  private static void addRow(float[] x, int start, float[] sums) {
    int j = 0;
    for (; j <= sums.length - LANES; j += LANES) {
      FloatVector.fromArray(SPECIES, x, start + j)
          .add(FloatVector.fromArray(SPECIES, sums, j))
          .intoArray(sums, j);
    }
    for (; j < sums.length; j++) {
      sums[j] += x[start + j];
    }
  }

  /// Adds the deviations of a row of `a` to `sums`, and their products with the deviations of `b`
  /// to `products`.
  private static void addRow(
      float[] a,
      float[] aCentre,
      float[] b,
      float[] bCentre,
      int start,
      float[] sums,
      float[] products) {
    int j = 0;
    for (; j <= sums.length - LANES; j += LANES) {
      FloatVector left =
          FloatVector.fromArray(SPECIES, a, start + j)
              .sub(FloatVector.fromArray(SPECIES, aCentre, j));
      FloatVector right =
          FloatVector.fromArray(SPECIES, b, start + j)
              .sub(FloatVector.fromArray(SPECIES, bCentre, j));
      left.add(FloatVector.fromArray(SPECIES, sums, j)).intoArray(sums, j);
      left.fma(right, FloatVector.fromArray(SPECIES, products, j)).intoArray(products, j);
    }
    for (; j < sums.length; j++) {
      float left = a[start + j] - aCentre[j];
      sums[j] += left;
      products[j] = Math.fma(left, b[start + j] - bCentre[j], products[j]);
    }
  }

  private static void writeRow(
      float[] x, int start, float[] centre, float[] scale, float[] shift, float[] y) {
    int j = 0;
    for (; j <= centre.length - LANES; j += LANES) {
      FloatVector.fromArray(SPECIES, x, start + j)
          .sub(FloatVector.fromArray(SPECIES, centre, j))
          .fma(FloatVector.fromArray(SPECIES, scale, j), FloatVector.fromArray(SPECIES, shift, j))
          .intoArray(y, start + j);
    }
    for (; j < centre.length; j++) {
      y[start + j] = Math.fma(x[start + j] - centre[j], scale[j], shift[j]);
    }
  }

  /// Computes the gradients of the values, the weight and the bias.
  public void runGradient(
      float[] x,
      float[] weight,
      Moments moments,
      float[] gradient,
      float[] xGradient,
      float[] weightGradient,
      float[] biasGradient) {
    int columns = shape.channels();
    double rows = (double) x.length / columns;
    float[] centre = new float[columns];
    for (int j = 0; j < columns; j++) {
      centre[j] = (float) moments.mean()[j];
    }
    double[] sums = new double[columns];
    double[] slopes = new double[columns];
    float[] zeros = new float[columns];
    sum(
        x.length,
        (start, to, products) -> addRow(gradient, zeros, x, centre, start, to, products),
        sums,
        slopes);
    float[] scale = new float[columns];
    float[] slope = new float[columns];
    float[] shift = new float[columns];
    for (int j = 0; j < columns; j++) {
      double rest = moments.mean()[j] - centre[j];
      double factor = shape.factor(moments.variance()[j]);
      double product = (slopes[j] - rest * sums[j]) * factor;
      double steep = -factor * factor * weight[j] * product / rows;
      biasGradient[j] = (float) sums[j];
      weightGradient[j] = (float) product;
      scale[j] = (float) (factor * weight[j]);
      slope[j] = (float) steep;
      shift[j] = (float) (-factor * weight[j] * sums[j] / rows - rest * steep);
    }
    for (int start = 0; start < x.length; start += columns) {
      writeRow(x, start, centre, slope, shift, xGradient);
      addProducts(gradient, start, scale, xGradient);
    }
  }

  private static void addProducts(float[] gradient, int start, float[] scale, float[] xGradient) {
    int j = 0;
    for (; j <= scale.length - LANES; j += LANES) {
      FloatVector.fromArray(SPECIES, gradient, start + j)
          .fma(
              FloatVector.fromArray(SPECIES, scale, j),
              FloatVector.fromArray(SPECIES, xGradient, start + j))
          .intoArray(xGradient, start + j);
    }
    for (; j < scale.length; j++) {
      xGradient[start + j] = Math.fma(gradient[start + j], scale[j], xGradient[start + j]);
    }
  }
}
