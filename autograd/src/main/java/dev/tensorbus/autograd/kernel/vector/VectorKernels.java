// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector;

import dev.tensorbus.autograd.kernel.Moments;
import dev.tensorbus.autograd.kernel.Order;
import dev.tensorbus.autograd.kernel.Parallel;
import dev.tensorbus.autograd.kernel.UnaryFunction;
import dev.tensorbus.autograd.kernel.VectorRegisters;
import dev.tensorbus.autograd.kernel.attention.AttentionInputs;
import dev.tensorbus.autograd.kernel.recurrent.Recurrence;
import dev.tensorbus.autograd.kernel.scalar.ScalarKernels;
import dev.tensorbus.autograd.kernel.shape.ConvolutionShape;
import dev.tensorbus.autograd.kernel.shape.MatmulShape;
import dev.tensorbus.autograd.kernel.shape.NormalizationShape;
import dev.tensorbus.autograd.kernel.shape.PoolingShape;
import dev.tensorbus.autograd.kernel.vector.attention.VectorAttention;
import dev.tensorbus.autograd.kernel.vector.convolution.ConvolutionPasses;
import dev.tensorbus.autograd.kernel.vector.elementwise.VectorElementwise;
import dev.tensorbus.autograd.kernel.vector.elementwise.VectorMap;
import dev.tensorbus.autograd.kernel.vector.elementwise.VectorMaximum;
import dev.tensorbus.autograd.kernel.vector.elementwise.VectorNormalization;
import dev.tensorbus.autograd.kernel.vector.elementwise.VectorSoftmax;
import dev.tensorbus.autograd.kernel.vector.pooling.VectorAveraging;
import dev.tensorbus.autograd.kernel.vector.pooling.VectorPooling;
import dev.tensorbus.autograd.kernel.vector.product.MatrixTranspose;
import dev.tensorbus.autograd.kernel.vector.product.Tile;
import dev.tensorbus.autograd.kernel.vector.product.VectorMatmul;
import dev.tensorbus.autograd.kernel.vector.recurrent.VectorRecurrence;
import org.jspecify.annotations.Nullable;

/// Kernels that use the Vector API and run on all cores.
///
/// Only the kernels that the Vector API makes faster are overridden. The rest are either loops that
/// C2 vectorizes anyway or too cheap to matter in any model.
public final class VectorKernels extends ScalarKernels {
  /// The number of elementwise operations (about 30 microseconds of work) that makes waking a
  /// thread worthwhile.
  private static final int SMALLEST_SHARE = 1 << 17;

  /// The number of values summed in float before their sum is added to a double.
  private static final int SUMMED_AT_ONCE = 1024;

  private final Parallel parallel;

  public VectorKernels(Parallel parallel) {
    this.parallel = parallel;
  }

  @Override
  protected void inParts(int size, int values, Parallel.Share loop) {
    parallel.divide(size, Math.max(1, SMALLEST_SHARE / Math.max(1, values)), loop);
  }

  @Override
  public void roundToBfloat16(float[] x, short[] y) {
    parallel.divide(
        x.length,
        SMALLEST_SHARE,
        (first, end) -> VectorElementwise.roundToBfloat16(x, y, first, end));
  }

  @Override
  public void map(UnaryFunction function, float[] x, float[] y) {
    if (!VectorMap.run(parallel, function, x, y)) {
      super.map(function, x, y);
    }
  }

  @Override
  public void mapGradient(
      UnaryFunction function, float[] kept, float[] gradient, float[] xGradient) {
    if (!VectorMap.runGradient(parallel, function, kept, gradient, xGradient)) {
      super.mapGradient(function, kept, gradient, xGradient);
    }
  }

  @Override
  public void compare(Order order, float[] a, float[] b, boolean[] mask) {
    parallel.divide(
        mask.length,
        SMALLEST_SHARE,
        (first, end) -> VectorElementwise.compare(order, a, b, mask, first, end));
  }

  @Override
  public void choose(boolean[] mask, float[] a, float[] b, float[] y) {
    parallel.divide(
        y.length,
        SMALLEST_SHARE,
        (first, end) -> VectorElementwise.choose(mask, a, b, y, first, end));
  }

  @Override
  public void takeAt(float[] x, int from, int[] positions, int n, float[] y, int to) {
    VectorElementwise.takeAt(x, from, positions, n, y, to);
  }

  @Override
  public void transpose(int rows, int columns, float[] x, float[] y) {
    if (Math.min(rows, columns) < Tile.LANES) {
      super.transpose(rows, columns, x, y);
    } else {
      new MatrixTranspose(rows, columns, x, y).run(parallel, SMALLEST_SHARE);
    }
  }

  @Override
  public void maxRows(int rows, int columns, float[] x, float[] y, int[] positions) {
    if (columns == 1 && rows >= Tile.LANES) {
      parallel.divide(
          y.length,
          Math.max(1, SMALLEST_SHARE / rows),
          (first, end) -> VectorMaximum.alongRows(x, rows, y, positions, first, end));
    } else if (columns >= Tile.LANES) {
      VectorMaximum.overRows(parallel, rows, columns, x, y, positions);
    } else {
      super.maxRows(rows, columns, x, y, positions);
    }
  }

  /// Sums parts of a fixed size and adds their sums in order, so that the result does not depend on
  /// the number of threads.
  @Override
  public double sum(float[] x) {
    double[] sums = new double[Math.ceilDiv(x.length, SMALLEST_SHARE)];
    parallel.run(
        sums.length,
        part -> {
          int start = part * SMALLEST_SHARE;
          sums[part] = sum(x, start, Math.min(x.length, start + SMALLEST_SHARE));
        });
    double total = 0;
    for (double sum : sums) {
      total += sum;
    }
    return total;
  }

  private static double sum(float[] x, int start, int end) {
    float[] lanes = new float[Tile.LANES];
    double sum = 0;
    for (int first = start; first < end; first += SUMMED_AT_ONCE) {
      sum += VectorElementwise.sum(x, first, Math.min(end, first + SUMMED_AT_ONCE), lanes);
    }
    return sum;
  }

  @Override
  public void affineChannels(float[] x, int size, float[] factors, float[] terms, float[] y) {
    int channels = factors.length;
    if (size == 1) {
      for (int start = 0; start < y.length; start += channels) {
        VectorElementwise.affine(x, start, factors, terms, y);
      }
      return;
    }
    parallel.divide(
        y.length / Math.max(1, size),
        Math.max(1, SMALLEST_SHARE / Math.max(1, size)),
        (first, end) -> {
          for (int plane = first; plane < end; plane++) {
            int channel = plane % channels;
            VectorElementwise.affine(x, plane * size, size, factors[channel], terms[channel], y);
          }
        });
  }

  @Override
  public void sumChannels(float[] x, int size, float[] sums) {
    if (size < Tile.LANES) {
      super.sumChannels(x, size, sums);
      return;
    }
    int channels = sums.length;
    parallel.divide(
        channels,
        Math.max(1, (int) ((long) SMALLEST_SHARE * channels / Math.max(1, x.length))),
        (first, end) -> {
          float[] lanes = new float[Tile.LANES];
          for (int channel = first; channel < end; channel++) {
            double sum = 0;
            for (int start = channel * size; start < x.length; start += channels * size) {
              sum += VectorElementwise.sum(x, start, start + size, lanes);
            }
            sums[channel] = (float) sum;
          }
        });
  }

  @Override
  public void normalize(
      NormalizationShape shape,
      float[] x,
      float[] weight,
      float[] bias,
      Moments moments,
      float[] y) {
    VectorNormalization normalization = new VectorNormalization(parallel, shape);
    if (normalization.isFast()) {
      normalization.run(x, weight, bias, moments, y);
    } else {
      super.normalize(shape, x, weight, bias, moments, y);
    }
  }

  @Override
  public void normalizeGradient(
      NormalizationShape shape,
      float[] x,
      float[] weight,
      Moments moments,
      float[] gradient,
      float[] xGradient,
      float[] weightGradient,
      float[] biasGradient) {
    VectorNormalization normalization = new VectorNormalization(parallel, shape);
    if (normalization.isFast()) {
      normalization.runGradient(
          x, weight, moments, gradient, xGradient, weightGradient, biasGradient);
    } else {
      super.normalizeGradient(
          shape, x, weight, moments, gradient, xGradient, weightGradient, biasGradient);
    }
  }

  @Override
  public void softmax(float[] x, int columns, float[] y) {
    VectorSoftmax.softmax(parallel, x, columns, y);
  }

  @Override
  public void softmaxGradient(float[] y, float[] gradient, int columns, float[] xGradient) {
    VectorSoftmax.softmaxGradient(parallel, y, gradient, columns, xGradient);
  }

  @Override
  public void logSoftmax(float[] x, int columns, float[] y) {
    VectorSoftmax.logSoftmax(parallel, x, columns, y);
  }

  @Override
  public void logSoftmaxGradient(float[] y, float[] gradient, int columns, float[] xGradient) {
    VectorSoftmax.logSoftmaxGradient(parallel, y, gradient, columns, xGradient);
  }

  @Override
  public void logSumExp(float[] x, int columns, double[] logSums) {
    VectorSoftmax.logSumExp(parallel, x, columns, logSums);
  }

  @Override
  public void scaledSoftmax(float[] x, int columns, double factor, float[] y, double[] logSums) {
    VectorSoftmax.scaledSoftmax(parallel, x, columns, factor, y, logSums);
  }

  @Override
  public void maxPool(PoolingShape shape, float[] x, float[] y, int[] positions) {
    VectorPooling.run(parallel, shape, x, y, positions);
  }

  @Override
  public void avgPool(PoolingShape shape, float[] x, float[] y) {
    VectorAveraging.run(parallel, shape, x, y);
  }

  @Override
  public void avgPoolGradient(PoolingShape shape, float[] gradient, float[] xGradient) {
    VectorAveraging.runGradient(parallel, shape, gradient, xGradient);
  }

  @Override
  public void matmul(MatmulShape shape, float[] a, float[] b, float[] c) {
    matmuls(1, shape, a, b, c);
  }

  @Override
  public void affine(MatmulShape shape, float[] a, float[] b, float[] bias, float[] c) {
    VectorMatmul.run(parallel, 1, shape, a, b, bias, c);
  }

  @Override
  public void matmuls(int batch, MatmulShape shape, float[] a, float[] b, float[] c) {
    VectorMatmul.run(parallel, batch, shape, a, b, null, c);
  }

  @Override
  public void attention(AttentionInputs<float[]> inputs, float[] y, double[] logSums) {
    VectorAttention.run(parallel, inputs, y, logSums);
  }

  @Override
  public void attentionGradient(
      AttentionInputs<float[]> inputs,
      float[] y,
      double[] logSums,
      float[] gradient,
      float[] queryGradient,
      float[] keyGradient,
      float[] valueGradient) {
    VectorAttention.runGradient(
        parallel, inputs, y, logSums, gradient, queryGradient, keyGradient, valueGradient);
  }

  @Override
  public void convolution(
      ConvolutionShape shape, float[] x, float[] weight, float @Nullable [] bias, float[] y) {
    new ConvolutionPasses(parallel, shape).run(x, weight, bias, y);
  }

  @Override
  public void convolutionInputGradient(
      ConvolutionShape shape,
      float[] weight,
      float[] gradient,
      float @Nullable [] bias,
      float[] xGradient) {
    new ConvolutionPasses(parallel, shape).runInputGradient(weight, gradient, bias, xGradient);
  }

  @Override
  public void convolutionWeightGradient(
      ConvolutionShape shape, float[] x, float[] gradient, float[] weightGradient) {
    new ConvolutionPasses(parallel, shape).runWeightGradient(x, gradient, weightGradient);
  }

  @Override
  public Recurrence<float[]> recurrence() {
    return new VectorRecurrence(parallel);
  }

  @Override
  public VectorRegisters registers() {
    return Tile.REGISTERS;
  }

  @Override
  public String toString() {
    return registers().toString();
  }
}
