// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.scalar;

import dev.tensorbus.autograd.kernel.Kernels;
import dev.tensorbus.autograd.kernel.Scratch;
import dev.tensorbus.autograd.kernel.UnaryFunction;
import dev.tensorbus.autograd.kernel.UnaryFunctions;
import dev.tensorbus.autograd.kernel.recurrent.Recurrence;
import dev.tensorbus.autograd.kernel.shape.ConvolutionShape;
import dev.tensorbus.autograd.kernel.shape.MatmulShape;
import dev.tensorbus.autograd.kernel.shape.PoolingShape;
import java.util.Arrays;
import java.util.function.Consumer;

/// The specification of the float32 kernels, on the caller's thread. It rounds the results of
/// [DoubleKernels], so no faster kernel is nearer to the truth. The loops that every network uses,
/// and those that C2 vectorizes, are written out.
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
    for (int start = 0; start < difference.length; start += b.length) {
      for (int i = 0; i < b.length; i++) {
        difference[start + i] = a[start + i] - b[i];
      }
    }
  }

  @Override
  public void multiply(float[] a, float[] b, float[] product) {
    for (int start = 0; start < product.length; start += b.length) {
      for (int i = 0; i < b.length; i++) {
        product[start + i] = a[start + i] * b[i];
      }
    }
  }

  @Override
  public void divide(float[] a, float[] b, float[] quotient) {
    for (int start = 0; start < quotient.length; start += b.length) {
      for (int i = 0; i < b.length; i++) {
        quotient[start + i] = a[start + i] / b[i];
      }
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
  public void choose(boolean[] mask, float[] a, float[] b, float[] y) {
    for (int i = 0; i < y.length; i++) {
      y[i] = mask[i] ? a[i] : b[i];
    }
  }

  @Override
  public void map(UnaryFunction function, float[] x, float[] y) {
    switch (function) {
      case UnaryFunctions.ABS -> abs(x, y);
      case UnaryFunctions.RELU -> relu(x, y);
      default -> {
        for (int i = 0; i < y.length; i++) {
          y[i] = (float) function.at(x[i]);
        }
      }
    }
  }

  private static void abs(float[] x, float[] y) {
    for (int i = 0; i < y.length; i++) {
      y[i] = Math.abs(x[i]);
    }
  }

  private static void relu(float[] x, float[] y) {
    for (int i = 0; i < y.length; i++) {
      y[i] = Math.max(x[i], 0f);
    }
  }

  @Override
  public void mapGradient(
      UnaryFunction function, float[] kept, float[] gradient, float[] xGradient) {
    for (int i = 0; i < xGradient.length; i++) {
      double derivative = function.derivative(kept[i]);
      xGradient[i] = derivative == 0 ? 0f : (float) (gradient[i] * derivative);
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
    if (size == 1) {
      for (int start = 0; start < y.length; start += bias.length) {
        System.arraycopy(bias, 0, y, start, bias.length);
      }
      return;
    }
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
    if (size == 1) {
      sumRows(x.length / Math.max(1, channels), x, sums);
      return;
    }
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

  /// From front to back, since column by column would touch each line of the cache many times.
  @Override
  public void sumRows(int rows, float[] x, float[] sums) {
    double[] exact = new double[sums.length];
    for (int row = 0; row < rows; row++) {
      for (int j = 0; j < sums.length; j++) {
        exact[j] += x[row * sums.length + j];
      }
    }
    round(exact, sums);
  }

  @Override
  public void deviations(float[] x, int columns, float[] y, double[] squares) {
    for (int row = 0; row < squares.length; row++) {
      double mean = sum(x, row * columns, (row + 1) * columns) / columns;
      double square = 0;
      for (int i = row * columns; i < (row + 1) * columns; i++) {
        double deviation = x[i] - mean;
        y[i] = (float) deviation;
        square += deviation * deviation;
      }
      squares[row] = square;
    }
  }

  /// Four sums, since one addition takes four cycles.
  private static double sum(float[] x, int first, int end) {
    double a = 0;
    double b = 0;
    double c = 0;
    double d = 0;
    int i = first;
    for (; i < end - 3; i += 4) {
      a += x[i];
      b += x[i + 1];
      c += x[i + 2];
      d += x[i + 3];
    }
    for (; i < end; i++) {
      a += x[i];
    }
    return a + b + (c + d);
  }

  @Override
  public void standardize(
      float[] x, int size, double epsilon, float[] mean, float[] variance, float[] y) {
    double[] exact = new double[y.length];
    double[] exactMean = new double[mean.length];
    double[] exactVariance = new double[mean.length];
    EXACT.standardize(widened(x), size, epsilon, exactMean, exactVariance, exact);
    round(exact, y);
    round(exactMean, mean);
    round(exactVariance, variance);
  }

  @Override
  public void standardizeGradient(
      float[] y, int size, double epsilon, float[] variance, float[] gradient, float[] xGradient) {
    double[] exact = new double[xGradient.length];
    EXACT.standardizeGradient(
        widened(y), size, epsilon, widened(variance), widened(gradient), exact);
    round(exact, xGradient);
  }

  @Override
  public void softmax(float[] x, int columns, float[] y) {
    double[] exact = new double[y.length];
    EXACT.softmax(widened(x), columns, exact);
    round(exact, y);
  }

  @Override
  public void softmaxGradient(float[] y, float[] gradient, int columns, float[] xGradient) {
    double[] exact = new double[y.length];
    EXACT.softmaxGradient(widened(y), widened(gradient), columns, exact);
    round(exact, xGradient);
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
      float logSum = (float) Math.log(sum);
      for (int j = start; j < start + columns; j++) {
        y[j] = x[j] - max - logSum;
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
  public void logSumExp(float[] x, int columns, double[] logSums) {
    for (int row = 0; row < logSums.length; row++) {
      float max = Float.NEGATIVE_INFINITY;
      for (int i = row * columns; i < (row + 1) * columns; i++) {
        max = Math.max(max, x[i]);
      }
      double sum = 0;
      for (int i = row * columns; i < (row + 1) * columns; i++) {
        sum += Math.exp(x[i] - max);
      }
      logSums[row] = max + Math.log(sum);
    }
  }

  @Override
  public void scaledSoftmax(float[] x, int columns, double factor, float[] y, double[] logSums) {
    double[] exact = new double[y.length];
    EXACT.scaledSoftmax(widened(x), columns, factor, exact, logSums);
    round(exact, y);
  }

  @Override
  public void addAt(int[] positions, float[] x, float[] sums) {
    for (int i = 0; i < positions.length; i++) {
      sums[positions[i]] += x[i];
    }
  }

  @Override
  public void maxRows(float[] x, int columns, float[] y, int[] positions) {
    for (int row = 0; row < y.length; row++) {
      int best = row * columns;
      for (int i = best + 1; i < (row + 1) * columns; i++) {
        if (x[i] > x[best] || (Float.isNaN(x[i]) && !Float.isNaN(x[best]))) {
          best = i;
        }
      }
      positions[row] = best;
      y[row] = x[best];
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
    double[] product = new double[c.length];
    EXACT.matmul(shape, widened(a), widened(b), product);
    round(product, c);
  }

  @Override
  public void affine(MatmulShape shape, float[] a, float[] b, float[] bias, float[] c) {
    double[] product = new double[c.length];
    EXACT.affine(shape, widened(a), widened(b), widened(bias), product);
    round(product, c);
  }

  @Override
  public void matmuls(int batch, MatmulShape shape, float[] a, float[] b, float[] c) {
    for (int i = 0; i < batch; i++) {
      float[] product = part(c, i, batch);
      matmul(shape, part(a, i, batch), part(b, i, batch), product);
      System.arraycopy(product, 0, c, i * product.length, product.length);
    }
  }

  private static float[] part(float[] whole, int part, int parts) {
    int size = whole.length / parts;
    return Arrays.copyOfRange(whole, part * size, (part + 1) * size);
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

  @Override
  public void borrow(int length, Consumer<float[]> body) {
    Scratch.borrow(length, body);
  }

  @Override
  public Recurrence<float[]> recurrence() {
    return new ScalarRecurrence();
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

  /// The name in the log.
  @Override
  public String toString() {
    return "plain loops";
  }
}
