// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

import java.util.Arrays;

/// The specification of the float32 kernels, on the caller's thread: what [DoubleKernels]
/// computes, rounded, so that a faster spelling is never nearer to the truth. Written out are the
/// loops that C2 turns into vector instructions and what every network uses.
public class ScalarKernels implements Kernels {
  private static final DoubleKernels EXACT = DoubleKernels.INSTANCE;

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
  public void scale(float[] x, double factor, float[] product) {
    float rounded = (float) factor;
    for (int i = 0; i < product.length; i++) {
      product[i] = x[i] * rounded;
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
  public double sum(float[] x) {
    double sum = 0;
    for (float value : x) {
      sum += value;
    }
    return sum;
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
  public void take(int[] positions, float[] x, float[] y) {
    for (int i = 0; i < positions.length; i++) {
      y[i] = x[positions[i]];
    }
  }

  @Override
  public void addAt(int[] positions, float[] x, float[] sums) {
    for (int i = 0; i < positions.length; i++) {
      sums[positions[i]] += x[i];
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
    double[] sums = widened(c);
    EXACT.matmul(shape, widened(a), widened(b), sums);
    round(sums, c);
  }

  @Override
  public void convolution(ConvolutionShape shape, float[] x, float[] weight, float[] y) {
    double[] sums = widened(y);
    EXACT.convolution(shape, widened(x), widened(weight), sums);
    round(sums, y);
  }

  @Override
  public void convolutionInputGradient(
      ConvolutionShape shape, float[] weight, float[] gradient, float[] xGradient) {
    double[] sums = widened(xGradient);
    EXACT.convolutionInputGradient(shape, widened(weight), widened(gradient), sums);
    round(sums, xGradient);
  }

  @Override
  public void convolutionWeightGradient(
      ConvolutionShape shape, float[] x, float[] gradient, float[] weightGradient) {
    double[] sums = widened(weightGradient);
    EXACT.convolutionWeightGradient(shape, widened(x), widened(gradient), sums);
    round(sums, weightGradient);
  }

  private static double[] widened(float[] values) {
    double[] widened = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      widened[i] = values[i];
    }
    return widened;
  }

  private static void round(double[] exact, float[] values) {
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) exact[i];
    }
  }

  /// What the log says.
  @Override
  public String toString() {
    return "plain loops";
  }
}
