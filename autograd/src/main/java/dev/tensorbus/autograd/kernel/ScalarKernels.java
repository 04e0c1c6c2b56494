// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

import java.util.Arrays;

/// The specification of every kernel, as plain loops on the caller's thread.
///
/// Sums run in double, so that a faster spelling is never nearer to the truth than this one.
public class ScalarKernels implements Kernels {
  @Override
  public void add(float[] a, float[] b, float[] sum) {
    for (int start = 0; start < sum.length; start += b.length) {
      for (int i = 0; i < b.length; i++) {
        sum[start + i] = a[start + i] + b[i];
      }
    }
  }

  @Override
  public void subtract(float[] a, float[] b, float[] difference) {
    for (int i = 0; i < difference.length; i++) {
      difference[i] = a[i] - b[i];
    }
  }

  @Override
  public void multiply(float[] a, float[] b, float[] product) {
    for (int i = 0; i < product.length; i++) {
      product[i] = a[i] * b[i];
    }
  }

  @Override
  public void scale(float[] x, float factor, float[] product) {
    for (int i = 0; i < product.length; i++) {
      product[i] = x[i] * factor;
    }
  }

  @Override
  public void scaleRows(float[] x, float[] factors, float[] product) {
    int columns = product.length / Math.max(factors.length, 1);
    for (int row = 0; row < factors.length; row++) {
      float factor = factors[row];
      for (int i = row * columns; i < (row + 1) * columns; i++) {
        product[i] = x[i] * factor;
      }
    }
  }

  @Override
  public void abs(float[] x, float[] output) {
    for (int i = 0; i < output.length; i++) {
      output[i] = Math.abs(x[i]);
    }
  }

  @Override
  public void absGradient(float[] x, float[] gradient, float[] xGradient) {
    for (int i = 0; i < xGradient.length; i++) {
      xGradient[i] = Math.signum(x[i]) * gradient[i];
    }
  }

  @Override
  public void relu(float[] x, float[] output) {
    for (int i = 0; i < output.length; i++) {
      output[i] = Math.max(x[i], 0f);
    }
  }

  @Override
  public void reluGradient(float[] output, float[] gradient, float[] xGradient) {
    for (int i = 0; i < xGradient.length; i++) {
      xGradient[i] = output[i] > 0f ? gradient[i] : 0f;
    }
  }

  @Override
  public float sum(float[] x) {
    double sum = 0;
    for (float value : x) {
      sum += value;
    }
    return (float) sum;
  }

  @Override
  public void fillChannels(float[] bias, int size, float[] y) {
    for (int start = 0; start < y.length; start += bias.length * size) {
      for (int channel = 0; channel < bias.length; channel++) {
        int first = start + channel * size;
        Arrays.fill(y, first, first + size, bias[channel]);
      }
    }
  }

  @Override
  public void sumChannels(float[] x, int size, float[] sums) {
    int channels = sums.length;
    for (int channel = 0; channel < channels; channel++) {
      double sum = 0;
      for (int start = channel * size; start < x.length; start += channels * size) {
        for (int i = start; i < start + size; i++) {
          sum += x[i];
        }
      }
      sums[channel] = (float) sum;
    }
  }

  @Override
  public void logSoftmax(float[] x, int columns, float[] y) {
    for (int start = 0; start < y.length; start += columns) {
      // The greatest value is taken out first: exp of the rest cannot overflow.
      float max = Float.NEGATIVE_INFINITY;
      for (int j = start; j < start + columns; j++) {
        max = Math.max(max, x[j]);
      }
      double sum = 0;
      for (int j = start; j < start + columns; j++) {
        sum += Math.exp(x[j] - max);
      }
      float logSum = (float) (max + Math.log(sum));
      for (int j = start; j < start + columns; j++) {
        y[j] = x[j] - logSum;
      }
    }
  }

  @Override
  public void logSoftmaxGradient(float[] y, float[] gradient, int columns, float[] xGradient) {
    for (int start = 0; start < y.length; start += columns) {
      double sum = 0;
      for (int j = start; j < start + columns; j++) {
        sum += gradient[j];
      }
      for (int j = start; j < start + columns; j++) {
        xGradient[j] = (float) (gradient[j] - Math.exp(y[j]) * sum);
      }
    }
  }

  @Override
  public void maxPool(PoolingShape shape, float[] x, float[] y, int[] positions) {
    int outputWidth = shape.outputWidth();
    for (int output = 0; output < shape.outputs(); output++) {
      int row = output / outputWidth;
      int plane = row / shape.outputHeight();
      int top = plane * shape.height() + row % shape.outputHeight() * shape.window();
      int corner = top * shape.width() + output % outputWidth * shape.window();
      int position = greatest(shape, x, corner);
      positions[output] = position;
      y[output] = x[position];
    }
  }

  /// Where the greatest value of the window at `corner` lies.
  private static int greatest(PoolingShape shape, float[] x, int corner) {
    int best = corner;
    for (int i = 0; i < shape.window(); i++) {
      for (int j = 0; j < shape.window(); j++) {
        int position = corner + i * shape.width() + j;
        if (x[position] > x[best] || (Float.isNaN(x[position]) && !Float.isNaN(x[best]))) {
          best = position;
        }
      }
    }
    return best;
  }

  @Override
  public void matmul(MatmulShape shape, float[] a, float[] b, float[] c) {
    for (int row = 0; row < shape.rows(); row++) {
      for (int column = 0; column < shape.columns(); column++) {
        double sum = 0;
        for (int p = 0; p < shape.inner(); p++) {
          sum += (double) a[shape.indexA(row, p)] * b[shape.indexB(p, column)];
        }
        c[row * shape.columns() + column] += (float) sum;
      }
    }
  }

  @Override
  public void convolution(ConvolutionShape shape, float[] x, float[] weight, float[] y) {
    double[] sums = new double[y.length];
    new ConvolutionTerms(shape).forEach((o, i, w) -> sums[o] += (double) x[i] * weight[w]);
    addTo(y, sums);
  }

  @Override
  public void convolutionInputGradient(
      ConvolutionShape shape, float[] weight, float[] gradient, float[] xGradient) {
    double[] sums = new double[xGradient.length];
    new ConvolutionTerms(shape).forEach((o, i, w) -> sums[i] += (double) gradient[o] * weight[w]);
    addTo(xGradient, sums);
  }

  @Override
  public void convolutionWeightGradient(
      ConvolutionShape shape, float[] x, float[] gradient, float[] weightGradient) {
    double[] sums = new double[weightGradient.length];
    new ConvolutionTerms(shape).forEach((o, i, w) -> sums[w] += (double) gradient[o] * x[i]);
    addTo(weightGradient, sums);
  }

  /// What the log says.
  @Override
  public String toString() {
    return "plain loops";
  }

  private static void addTo(float[] target, double[] sums) {
    for (int i = 0; i < target.length; i++) {
      target[i] += (float) sums[i];
    }
  }
}
