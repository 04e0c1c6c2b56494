// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.scalar;

import dev.tensorbus.autograd.kernel.Arithmetic;
import dev.tensorbus.autograd.kernel.Moments;
import dev.tensorbus.autograd.kernel.Order;
import dev.tensorbus.autograd.kernel.UnaryFunction;
import dev.tensorbus.autograd.kernel.UnaryFunctions;
import dev.tensorbus.autograd.kernel.attention.AttentionInputs;
import dev.tensorbus.autograd.kernel.recurrent.Recurrence;
import dev.tensorbus.autograd.kernel.shape.ConvolutionShape;
import dev.tensorbus.autograd.kernel.shape.MatmulShape;
import dev.tensorbus.autograd.kernel.shape.NormalizationShape;
import dev.tensorbus.autograd.kernel.shape.PoolingShape;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The reference implementation of every kernel, as plain loops on the caller's thread. Float64
/// tensors use it as is, except for matrix products if the Vector API is available. [ScalarKernels]
/// rounds its results to float32.
public class DoubleKernels implements Arithmetic<double[]> {
  public static final DoubleKernels INSTANCE = new DoubleKernels();

  protected DoubleKernels() {}

  @Override
  public void add(double[] a, double[] b, double[] sum) {
    for (int start = 0; start < sum.length; start += b.length) {
      for (int i = 0; i < b.length; i++) {
        sum[start + i] = a[start + i] + b[i];
      }
    }
  }

  @Override
  public void subtract(double[] a, double[] b, double[] difference) {
    for (int start = 0; start < difference.length; start += b.length) {
      for (int i = 0; i < b.length; i++) {
        difference[start + i] = a[start + i] - b[i];
      }
    }
  }

  @Override
  public void multiply(double[] a, double[] b, double[] product) {
    for (int start = 0; start < product.length; start += b.length) {
      for (int i = 0; i < b.length; i++) {
        product[start + i] = a[start + i] * b[i];
      }
    }
  }

  @Override
  public void divide(double[] a, double[] b, double[] quotient) {
    for (int start = 0; start < quotient.length; start += b.length) {
      for (int i = 0; i < b.length; i++) {
        quotient[start + i] = a[start + i] / b[i];
      }
    }
  }

  @Override
  public void scale(double[] x, double factor, double[] product) {
    for (int i = 0; i < product.length; i++) {
      product[i] = x[i] * factor;
    }
  }

  @Override
  public void scaleRows(double[] x, double[] factors, double[] product) {
    int columns = product.length / Math.max(factors.length, 1);
    for (int row = 0; row < factors.length; row++) {
      double factor = factors[row];
      for (int i = row * columns; i < (row + 1) * columns; i++) {
        product[i] = x[i] * factor;
      }
    }
  }

  @Override
  public void addRows(double[] x, double[] terms, double[] sum) {
    int columns = sum.length / Math.max(terms.length, 1);
    for (int row = 0; row < terms.length; row++) {
      double term = terms[row];
      for (int i = row * columns; i < (row + 1) * columns; i++) {
        sum[i] = x[i] + term;
      }
    }
  }

  @Override
  public void maximum(double[] a, double[] b, double[] y) {
    for (int i = 0; i < y.length; i++) {
      y[i] = Math.max(a[i], b[i]);
    }
  }

  @Override
  public void minimum(double[] a, double[] b, double[] y) {
    for (int i = 0; i < y.length; i++) {
      y[i] = Math.min(a[i], b[i]);
    }
  }

  @Override
  public void compare(Order order, double[] a, double[] b, boolean[] mask) {
    for (int i = 0; i < mask.length; i++) {
      mask[i] = order.holds(a[i], b[i]);
    }
  }

  @Override
  public void choose(boolean[] mask, double[] a, double[] b, double[] y) {
    for (int i = 0; i < y.length; i++) {
      y[i] = mask[i] ? a[i] : b[i];
    }
  }

  @Override
  public void map(UnaryFunction function, double[] x, double[] y) {
    for (int i = 0; i < y.length; i++) {
      y[i] = function.at(x[i]);
    }
  }

  @Override
  public void mapGradient(
      UnaryFunction function, double[] kept, double[] gradient, double[] xGradient) {
    for (int i = 0; i < xGradient.length; i++) {
      xGradient[i] = function.gradient(kept[i], gradient[i]);
    }
  }

  @Override
  public double sum(double[] x) {
    double sum = 0;
    for (double value : x) {
      sum += value;
    }
    return sum;
  }

  @Override
  public void fillChannels(double[] bias, int size, double[] y) {
    for (int start = 0; start < y.length; start += bias.length * size) {
      for (int channel = 0; channel < bias.length; channel++) {
        int first = start + channel * size;
        Arrays.fill(y, first, first + size, bias[channel]);
      }
    }
  }

  @Override
  public void affineChannels(double[] x, int size, double[] factors, double[] terms, double[] y) {
    for (int start = 0; start < y.length; start += size) {
      int channel = start / size % factors.length;
      for (int i = start; i < start + size; i++) {
        y[i] = x[i] * factors[channel] + terms[channel];
      }
    }
  }

  @Override
  public void sumChannels(double[] x, int size, double[] sums) {
    int channels = sums.length;
    for (int channel = 0; channel < channels; channel++) {
      double sum = 0;
      for (int start = channel * size; start < x.length; start += channels * size) {
        for (int i = start; i < start + size; i++) {
          sum += x[i];
        }
      }
      sums[channel] = sum;
    }
  }

  @Override
  public void sumRows(int rows, int columns, double[] x, double[] sums) {
    RowReductions.sum(rows, columns, x, sums);
  }

  @Override
  public void deviations(double[] x, int columns, double[] y, double[] squares) {
    for (int row = 0; row < squares.length; row++) {
      int end = (row + 1) * columns;
      double sum = 0;
      for (int i = row * columns; i < end; i++) {
        sum += x[i];
      }
      // The mean is rounded, so the mean of the remaining deviations is subtracted as well.
      double mean = sum / columns;
      double rest = 0;
      for (int i = row * columns; i < end; i++) {
        rest += x[i] - mean;
      }
      double square = 0;
      for (int i = row * columns; i < end; i++) {
        y[i] = x[i] - mean - rest / columns;
        square += y[i] * y[i];
      }
      squares[row] = square;
    }
  }

  @Override
  public void normalize(
      NormalizationShape shape,
      double[] x,
      double[] weight,
      double[] bias,
      Moments moments,
      double[] y) {
    Normalization.run(shape, x, weight, bias, moments, y);
  }

  @Override
  public void normalizeGradient(
      NormalizationShape shape,
      double[] x,
      double[] weight,
      Moments moments,
      double[] gradient,
      double[] xGradient,
      double[] weightGradient,
      double[] biasGradient) {
    Normalization.gradient(
        shape, x, weight, moments, gradient, xGradient, weightGradient, biasGradient);
  }

  @Override
  public void softmax(double[] x, int columns, double[] y) {
    logSoftmax(x, columns, y);
    map(UnaryFunctions.EXP, y, y);
  }

  @Override
  public void softmaxGradient(double[] y, double[] gradient, int columns, double[] xGradient) {
    ScalarSoftmax.gradient(y, gradient, columns, xGradient);
  }

  @Override
  public void logSoftmax(double[] x, int columns, double[] y) {
    ScalarSoftmax.log(x, columns, y);
  }

  @Override
  public void logSoftmaxGradient(double[] y, double[] gradient, int columns, double[] xGradient) {
    ScalarSoftmax.logGradient(y, gradient, columns, xGradient);
  }

  @Override
  public void logSumExp(double[] x, int columns, double[] logSums) {
    ScalarSoftmax.logSumExp(x, columns, logSums);
  }

  @Override
  public void scaledSoftmax(double[] x, int columns, double factor, double[] y, double[] logSums) {
    logSumExp(x, columns, logSums);
    for (int row = 0; row < logSums.length; row++) {
      for (int i = row * columns; i < (row + 1) * columns; i++) {
        y[i] = factor * Math.exp(x[i] - logSums[row]);
      }
    }
  }

  @Override
  public void addAt(int[] positions, double[] x, double[] sums) {
    for (int i = 0; i < positions.length; i++) {
      sums[positions[i]] += x[i];
    }
  }

  @Override
  public void maxRows(int rows, int columns, double[] x, double[] y, int[] positions) {
    RowReductions.max(rows, columns, x, y, positions);
  }

  @Override
  public void maxPool(PoolingShape shape, double[] x, double[] y, int[] positions) {
    Pooling.max(shape, x, y, positions);
  }

  @Override
  public void avgPool(PoolingShape shape, double[] x, double[] y) {
    Pooling.average(shape, x, y);
  }

  @Override
  public void avgPoolGradient(PoolingShape shape, double[] gradient, double[] xGradient) {
    Pooling.averageGradient(shape, gradient, xGradient);
  }

  @Override
  public void matmul(MatmulShape shape, double[] a, double[] b, double[] c) {
    affine(shape, a, b, new double[shape.columns()], c);
  }

  @Override
  public void affine(MatmulShape shape, double[] a, double[] b, double[] bias, double[] c) {
    for (int row = 0; row < shape.rows(); row++) {
      for (int column = 0; column < shape.columns(); column++) {
        double sum = 0;
        for (int p = 0; p < shape.inner(); p++) {
          sum += a[shape.indexA(row, p)] * b[shape.indexB(p, column)];
        }
        c[row * shape.columns() + column] = sum + bias[column];
      }
    }
  }

  @Override
  public void matmuls(int batch, MatmulShape shape, double[] a, double[] b, double[] c) {
    for (int i = 0; i < batch; i++) {
      double[] product = part(c, i, batch);
      matmul(shape, part(a, i, batch), part(b, i, batch), product);
      System.arraycopy(product, 0, c, i * product.length, product.length);
    }
  }

  private static double[] part(double[] whole, int part, int parts) {
    int size = whole.length / parts;
    return Arrays.copyOfRange(whole, part * size, (part + 1) * size);
  }

  @Override
  public void attention(AttentionInputs<double[]> inputs, double[] y, double[] logSums) {
    new AttentionRows(inputs).run(y, logSums);
  }

  @Override
  public void attentionGradient(
      AttentionInputs<double[]> inputs,
      double[] y,
      double[] logSums,
      double[] gradient,
      double[] queryGradient,
      double[] keyGradient,
      double[] valueGradient) {
    new AttentionRows(inputs)
        .runGradient(y, logSums, gradient, queryGradient, keyGradient, valueGradient);
  }

  @Override
  public void convolution(
      ConvolutionShape shape, double[] x, double[] weight, double @Nullable [] bias, double[] y) {
    fill(bias, shape.outputPixels(), y);
    new ConvolutionTerms(shape).forEach((o, i, w) -> y[o] += x[i] * weight[w]);
  }

  @Override
  public void convolutionInputGradient(
      ConvolutionShape shape,
      double[] weight,
      double[] gradient,
      double @Nullable [] bias,
      double[] xGradient) {
    fill(bias, shape.pixels(), xGradient);
    new ConvolutionTerms(shape).forEach((o, i, w) -> xGradient[i] += gradient[o] * weight[w]);
  }

  private void fill(double @Nullable [] bias, int size, double[] y) {
    if (bias == null) {
      Arrays.fill(y, 0);
    } else {
      fillChannels(bias, size, y);
    }
  }

  @Override
  public void convolutionWeightGradient(
      ConvolutionShape shape, double[] x, double[] gradient, double[] weightGradient) {
    new ConvolutionTerms(shape).forEach((o, i, w) -> weightGradient[w] += gradient[o] * x[i]);
  }

  @Override
  public void borrow(int length, Consumer<double[]> body) {
    body.accept(new double[length]);
  }

  @Override
  public Recurrence<double[]> recurrence() {
    return new DoubleRecurrence();
  }
}
