// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

/// The arithmetic that operations are made of, over arrays in row-major order. [ScalarKernels]
/// says what each method computes; no shape is checked here, and results go to arrays that the
/// caller gives. Safe for any number of threads at once.
///
/// In order of increasing complexity. `n` of an elementwise kernel is the length of its result.
public interface Kernels {
  /// The fastest kernels that this JVM offers, chosen once.
  static Kernels best() {
    return KernelChoice.BEST;
  }

  /// `sum[i] = a[i] + b[i % b.length]`.
  void add(float[] a, float[] b, float[] sum);

  /// `difference[i] = a[i] - b[i]`.
  void subtract(float[] a, float[] b, float[] difference);

  /// `product[i] = a[i] * b[i]`.
  void multiply(float[] a, float[] b, float[] product);

  /// `product[i] = x[i] * factor`.
  void scale(float[] x, float factor, float[] product);

  /// `product[r, i] = x[r, i] * factors[r]` for rows of `product.length / factors.length` values.
  void scaleRows(float[] x, float[] factors, float[] product);

  /// `output[i] = |x[i]|`.
  void abs(float[] x, float[] output);

  /// `xGradient[i] = sign(x[i]) * gradient[i]`, where the sign of 0 is 0.
  void absGradient(float[] x, float[] gradient, float[] xGradient);

  /// `output[i] = max(x[i], 0)`; NaN stays NaN.
  void relu(float[] x, float[] output);

  /// `xGradient[i] = output[i] > 0 ? gradient[i] : 0`.
  void reluGradient(float[] output, float[] gradient, float[] xGradient);

  /// The sum of all values.
  float sum(float[] x);

  /// `y[n, c, i] = bias[c]` for `y` of shape `[y.length / bias.length / size, bias.length,
  /// size]`.
  void fillChannels(float[] bias, int size, float[] y);

  /// `sums[c]` is the sum of `x[n, c, i]` over `n` and `i`, for `x` of shape
  /// `[x.length / sums.length / size, sums.length, size]`.
  void sumChannels(float[] x, int size, float[] sums);

  /// `y[r, j] = x[r, j] - log(sum over j of exp(x[r, j]))` for rows of `columns` values.
  void logSoftmax(float[] x, int columns, float[] y);

  /// `xGradient[r, j] = gradient[r, j] - exp(y[r, j]) * (sum over j of gradient[r, j])`.
  void logSoftmaxGradient(float[] y, float[] gradient, int columns, float[] xGradient);

  /// `y` takes the greatest value of each window and `positions` where in `x` it lies: the first
  /// of equal ones; NaN is greater than any number.
  void maxPool(PoolingShape shape, float[] x, float[] y, int[] positions);

  /// `c += a · b`.
  void matmul(MatmulShape shape, float[] a, float[] b, float[] c);

  /// `y[n, f, i, j] += sum over c, u, v of x[n, c, i + u, j + v] * weight[f, c, u, v]`, with
  /// stride, padding, dilation and groups as `shape` says: [ConvolutionTerms] has the positions.
  void convolution(ConvolutionShape shape, float[] x, float[] weight, float[] y);

  /// `xGradient[n, c, i + u, j + v] += gradient[n, f, i, j] * weight[f, c, u, v]` for all terms
  /// of the same convolution. A transposed convolution is this kernel, with its input as
  /// `gradient`.
  void convolutionInputGradient(
      ConvolutionShape shape, float[] weight, float[] gradient, float[] xGradient);

  /// `weightGradient[f, c, u, v] += gradient[n, f, i, j] * x[n, c, i + u, j + v]` for all terms
  /// of the same convolution.
  void convolutionWeightGradient(
      ConvolutionShape shape, float[] x, float[] gradient, float[] weightGradient);
}
