// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.scalar;

import static dev.tensorbus.autograd.kernel.scalar.Rounding.round;
import static dev.tensorbus.autograd.kernel.scalar.Rounding.widened;

import dev.tensorbus.autograd.kernel.Kernels;
import dev.tensorbus.autograd.kernel.Moments;
import dev.tensorbus.autograd.kernel.Order;
import dev.tensorbus.autograd.kernel.Parallel;
import dev.tensorbus.autograd.kernel.Scratch;
import dev.tensorbus.autograd.kernel.UnaryFunction;
import dev.tensorbus.autograd.kernel.attention.AttentionInputs;
import dev.tensorbus.autograd.kernel.random.BoxMuller;
import dev.tensorbus.autograd.kernel.recurrent.Recurrence;
import dev.tensorbus.autograd.kernel.scalar.ElementwiseLoops.Pair;
import dev.tensorbus.autograd.kernel.shape.ConvolutionShape;
import dev.tensorbus.autograd.kernel.shape.MatmulShape;
import dev.tensorbus.autograd.kernel.shape.NormalizationShape;
import dev.tensorbus.autograd.kernel.shape.PoolingShape;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The reference implementation of the float32 kernels, as plain loops on the caller's thread. Most
/// methods compute in float64 with [DoubleKernels] and round the result, which is as accurate as
/// float32 allows. Loops that every network uses, and those that C2 vectorizes, work on the float32
/// arrays instead.
public class ScalarKernels implements Kernels {
  private static final DoubleKernels EXACT = DoubleKernels.INSTANCE;

  /// Runs a loop over `size` parts of `values` values each; an override may divide them among
  /// threads.
  protected void inParts(int size, int values, Parallel.Share loop) {
    loop.accept(0, size);
  }

  private void pair(Pair pair, float[] a, float[] b, float[] y) {
    if (b.length == y.length) {
      inParts(y.length, 1, (first, end) -> pair.run(a, b, y, first, end));
    } else {
      int rows = y.length / Math.max(1, b.length);
      inParts(rows, b.length, (first, end) -> pair.runRows(a, b, y, first, end));
    }
  }

  @Override
  public void normal(long seed, float[] y) {
    inParts(BoxMuller.pairs(y.length), 2, (first, end) -> BoxMuller.fill(seed, y, first, end));
  }

  @Override
  public void add(float[] a, float[] b, float[] sum) {
    pair(Pair.ADD, a, b, sum);
  }

  @Override
  public void subtract(float[] a, float[] b, float[] difference) {
    pair(Pair.SUBTRACT, a, b, difference);
  }

  @Override
  public void multiply(float[] a, float[] b, float[] product) {
    pair(Pair.MULTIPLY, a, b, product);
  }

  @Override
  public void divide(float[] a, float[] b, float[] quotient) {
    pair(Pair.DIVIDE, a, b, quotient);
  }

  @Override
  public void scale(float[] x, double factor, float[] product) {
    float rounded = (float) factor;
    inParts(
        product.length, 1, (first, end) -> ElementwiseLoops.scale(x, rounded, product, first, end));
  }

  @Override
  public void scaleRows(float[] x, float[] factors, float[] product) {
    int columns = product.length / Math.max(factors.length, 1);
    inParts(
        factors.length,
        columns,
        (first, end) -> ElementwiseLoops.scaleRows(x, factors, columns, product, first, end));
  }

  @Override
  public void addRows(float[] x, float[] terms, float[] sum) {
    int columns = sum.length / Math.max(terms.length, 1);
    inParts(
        terms.length,
        columns,
        (first, end) -> ElementwiseLoops.addRows(x, terms, columns, sum, first, end));
  }

  @Override
  public void maximum(float[] a, float[] b, float[] y) {
    pair(Pair.MAXIMUM, a, b, y);
  }

  @Override
  public void minimum(float[] a, float[] b, float[] y) {
    pair(Pair.MINIMUM, a, b, y);
  }

  @Override
  public void compare(Order order, float[] a, float[] b, boolean[] mask) {
    EXACT.compare(order, widened(a), widened(b), mask);
  }

  @Override
  public void choose(boolean[] mask, float[] a, float[] b, float[] y) {
    for (int i = 0; i < y.length; i++) {
      y[i] = mask[i] ? a[i] : b[i];
    }
  }

  @Override
  public void map(UnaryFunction function, float[] x, float[] y) {
    inParts(y.length, 1, (first, end) -> ElementwiseLoops.map(function, x, y, first, end));
  }

  @Override
  public void mapGradient(
      UnaryFunction function, float[] kept, float[] gradient, float[] xGradient) {
    for (int i = 0; i < xGradient.length; i++) {
      xGradient[i] = (float) function.gradient(kept[i], gradient[i]);
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
  public void affineChannels(float[] x, int size, float[] factors, float[] terms, float[] y) {
    double[] exact = new double[y.length];
    EXACT.affineChannels(widened(x), size, widened(factors), widened(terms), exact);
    round(exact, y);
  }

  @Override
  public void sumChannels(float[] x, int size, float[] sums) {
    int channels = sums.length;
    if (size == 1) {
      sumRows(x.length / Math.max(1, channels), channels, x, sums);
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

  @Override
  public void sumRows(int rows, int columns, float[] x, float[] sums) {
    RowReductions.sum(rows, columns, x, sums);
  }

  @Override
  public void deviations(float[] x, int columns, float[] y, double[] squares) {
    for (int row = 0; row < squares.length; row++) {
      double mean = RowReductions.sum(x, row * columns, (row + 1) * columns) / columns;
      double square = 0;
      for (int i = row * columns; i < (row + 1) * columns; i++) {
        double deviation = x[i] - mean;
        y[i] = (float) deviation;
        square += deviation * deviation;
      }
      squares[row] = square;
    }
  }

  @Override
  public void normalize(
      NormalizationShape shape,
      float[] x,
      float[] weight,
      float[] bias,
      Moments moments,
      float[] y) {
    double[] exact = new double[y.length];
    EXACT.normalize(shape, widened(x), widened(weight), widened(bias), moments, exact);
    round(exact, y);
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
    Normalization.gradient(
        shape, x, weight, moments, gradient, xGradient, weightGradient, biasGradient);
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
    double[] exact = new double[y.length];
    EXACT.logSoftmax(widened(x), columns, exact);
    round(exact, y);
  }

  @Override
  public void logSoftmaxGradient(float[] y, float[] gradient, int columns, float[] xGradient) {
    double[] exact = new double[xGradient.length];
    EXACT.logSoftmaxGradient(widened(y), widened(gradient), columns, exact);
    round(exact, xGradient);
  }

  @Override
  public void logSumExp(float[] x, int columns, double[] logSums) {
    EXACT.logSumExp(widened(x), columns, logSums);
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
  public void maxRows(int rows, int columns, float[] x, float[] y, int[] positions) {
    double[] exact = new double[y.length];
    EXACT.maxRows(rows, columns, widened(x), exact, positions);
    round(exact, y);
  }

  @Override
  public void maxPool(PoolingShape shape, float[] x, float[] y, int[] positions) {
    Pooling.max(shape, x, y, positions);
  }

  @Override
  public void avgPool(PoolingShape shape, float[] x, float[] y) {
    Pooling.average(shape, x, y);
  }

  @Override
  public void avgPoolGradient(PoolingShape shape, float[] gradient, float[] xGradient) {
    Pooling.averageGradient(shape, gradient, xGradient);
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
    double[] products = new double[c.length];
    EXACT.matmuls(batch, shape, widened(a), widened(b), products);
    round(products, c);
  }

  @Override
  public void attention(AttentionInputs<float[]> inputs, float[] y, double[] logSums) {
    RoundedAttention.run(inputs, y, logSums);
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
    RoundedAttention.runGradient(
        inputs, y, logSums, gradient, queryGradient, keyGradient, valueGradient);
  }

  @Override
  public void convolution(
      ConvolutionShape shape, float[] x, float[] weight, float @Nullable [] bias, float[] y) {
    RoundedConvolution.run(shape, x, weight, bias, y);
  }

  @Override
  public void convolutionInputGradient(
      ConvolutionShape shape,
      float[] weight,
      float[] gradient,
      float @Nullable [] bias,
      float[] xGradient) {
    RoundedConvolution.runInputGradient(shape, weight, gradient, bias, xGradient);
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

  /// Returns the name for the log.
  @Override
  public String toString() {
    return "plain loops";
  }
}
