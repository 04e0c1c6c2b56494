// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

import dev.tensorbus.autograd.kernel.attention.AttentionInputs;
import dev.tensorbus.autograd.kernel.recurrent.Recurrence;
import dev.tensorbus.autograd.kernel.shape.ConvolutionShape;
import dev.tensorbus.autograd.kernel.shape.MatmulShape;
import dev.tensorbus.autograd.kernel.shape.NormalizationShape;
import dev.tensorbus.autograd.kernel.shape.PoolingShape;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The arithmetic of operations, over row-major arrays.
/// [dev.tensorbus.autograd.kernel.scalar.DoubleKernels] is the specification of each method.
/// Methods check no shapes and write their results to arrays of the caller. Safe for concurrent use
/// by any number of threads.
///
/// In order of increasing complexity. `n` of an elementwise kernel is the length of its result.
///
/// @param <A> the array type: `float[]` for [Kernels], `double[]` for
///     [dev.tensorbus.autograd.kernel.scalar.DoubleKernels]
public interface Arithmetic<A> {
  /// `sum[i] = a[i] + b[i % b.length]`.
  void add(A a, A b, A sum);

  /// `difference[i] = a[i] - b[i % b.length]`.
  void subtract(A a, A b, A difference);

  /// `product[i] = a[i] * b[i % b.length]`.
  void multiply(A a, A b, A product);

  /// `quotient[i] = a[i] / b[i % b.length]`.
  void divide(A a, A b, A quotient);

  /// `product[i] = x[i] * factor`.
  void scale(A x, double factor, A product);

  /// `product[r, i] = x[r, i] * factors[r]` for rows of `product.length / factors.length` values.
  void scaleRows(A x, A factors, A product);

  /// `sum[r, i] = x[r, i] + terms[r]` for rows of `sum.length / terms.length` values.
  void addRows(A x, A terms, A sum);

  /// `y[i]` is the larger of `a[i]` and `b[i]`, NaN if one of them is.
  void maximum(A a, A b, A y);

  /// `y[i]` is the smaller of `a[i]` and `b[i]`, NaN if one of them is.
  void minimum(A a, A b, A y);

  /// `mask[i]` is whether `a[i]` and `b[i]` are in this order.
  void compare(Order order, A a, A b, boolean[] mask);

  /// `y[i] = mask[i] ? a[i] : b[i]`.
  void choose(boolean[] mask, A a, A b, A y);

  /// `y[i] = function.at(x[i])`.
  void map(UnaryFunction function, A x, A y);

  /// `xGradient[i] = gradient[i] * function.derivative(kept[i])`. Where the derivative is 0, so is
  /// the result, even for an infinite gradient.
  ///
  /// @param kept `x`, or `y` if the function keeps its result
  void mapGradient(UnaryFunction function, A kept, A gradient, A xGradient);

  /// Returns the sum of all values.
  double sum(A x);

  /// `y[n, c, i] = bias[c]` for `y` of shape `[y.length / bias.length / size, bias.length,
  /// size]`.
  void fillChannels(A bias, int size, A y);

  /// `y[n, c, i] = x[n, c, i] * factors[c] + terms[c]` for `y` of shape
  /// `[y.length / factors.length / size, factors.length, size]`.
  void affineChannels(A x, int size, A factors, A terms, A y);

  /// `sums[c]` is the sum of `x[n, c, i]` over `n` and `i`, for `x` of shape
  /// `[x.length / sums.length / size, sums.length, size]`.
  void sumChannels(A x, int size, A sums);

  /// `sums[b, j]` is the sum of `x[b, r, j]` over `r`, for blocks of `rows` rows of `columns`
  /// values.
  void sumRows(int rows, int columns, A x, A sums);

  /// `y[r, j] = x[r, j] - mean of row r` for rows of `columns` values, and `squares[r]` is the sum
  /// of `y[r, j]²` over `j`. The means are not rounded, since values may be much larger than their
  /// deviations.
  void deviations(A x, int columns, A y, double[] squares);

  /// `y[i] = (x[i] - mean[g]) / root of (variance[g] + epsilon) * weight[c] + bias[c]` for the
  /// group `g` and the channel `c` of position `i`.
  ///
  /// @param moments receives the mean and the variance of each group
  void normalize(NormalizationShape shape, A x, A weight, A bias, Moments moments, A y);

  /// The gradients of [#normalize]. With `s` for the root of `variance[g] + epsilon` and `z[i]` for
  /// `(x[i] - mean[g]) / s`, `xGradient[i] = (gradient[i] * weight[c] - a[g] - z[i] * b[g]) / s`,
  /// where `a` is the mean of the gradient times weight over the group and `b` that of the same
  /// times `z`. `weightGradient[c]` is the sum of the gradient times `z` over the channel, and
  /// `biasGradient[c]` that of the gradient.
  ///
  /// @param moments as [#normalize] found them
  void normalizeGradient(
      NormalizationShape shape,
      A x,
      A weight,
      Moments moments,
      A gradient,
      A xGradient,
      A weightGradient,
      A biasGradient);

  /// `y[r, j] = exp(x[r, j]) / sum over j of exp(x[r, j])` for rows of `columns` values.
  void softmax(A x, int columns, A y);

  /// `xGradient[r, j] = y[r, j] * (gradient[r, j] - sum over j of gradient[r, j] * y[r, j])`.
  void softmaxGradient(A y, A gradient, int columns, A xGradient);

  /// `y[r, j] = x[r, j] - log(sum over j of exp(x[r, j]))` for rows of `columns` values.
  void logSoftmax(A x, int columns, A y);

  /// `xGradient[r, j] = gradient[r, j] - exp(y[r, j]) * (sum over j of gradient[r, j])`. Where the
  /// sum is 0, nothing is subtracted, even if `y` is NaN: the row of an ignored label.
  void logSoftmaxGradient(A y, A gradient, int columns, A xGradient);

  /// `logSums[r] = log(sum over j of exp(x[r, j]))` for rows of `columns` values. Not rounded to
  /// `x`'s type, because a loss is the small difference between this and a value of the row.
  void logSumExp(A x, int columns, double[] logSums);

  /// `factor` times [#softmax], and [#logSumExp].
  void scaledSoftmax(A x, int columns, double factor, A y, double[] logSums);

  /// `sums[positions[i]] += x[i]`.
  void addAt(int[] positions, A x, A sums);

  /// `y[b, j]` is the maximum of `x[b, r, j]` over `r`, and `positions[b, j]` its offset in `x`:
  /// the first of equal ones; NaN is larger than any number. Blocks of `rows` rows of `columns`
  /// values.
  void maxRows(int rows, int columns, A x, A y, int[] positions);

  /// `y` receives the maximum of each window, and `positions` its offset in `x`: the first of equal
  /// ones; NaN is larger than any number.
  void maxPool(PoolingShape shape, A x, A y, int[] positions);

  /// `y` receives the mean of each window.
  void avgPool(PoolingShape shape, A x, A y);

  /// Adds to each value of `xGradient` its share of the gradients of all windows that cover it.
  void avgPoolGradient(PoolingShape shape, A gradient, A xGradient);

  /// `c = a · b`.
  void matmul(MatmulShape shape, A a, A b, A c);

  /// `c = a · b + bias`, with `bias[j]` added to each value of column `j`.
  void affine(MatmulShape shape, A a, A b, A bias, A c);

  /// `c = a · b` for each of `batch` consecutive matrices.
  void matmuls(int batch, MatmulShape shape, A a, A b, A c);

  /// Each result is the mean of an item's values, weighted by [#softmax] of the scores: `scale`
  /// times the product of query and key, changed by the mask. Dropout multiplies the weights.
  ///
  /// @param logSums receives [#logSumExp] of the scores of each item's targets
  void attention(AttentionInputs<A> inputs, A y, double[] logSums);

  /// The gradients of [#attention]. With `w` for the weights before dropout and `f` for its
  /// factors, `s[t, j] = scale * w[t, j] * (f[t, j] * (gradient[t] · value[j]) - gradient[t] ·
  /// y[t])`. `queryGradient[t]` is the sum of `s[t, j] * key[j]`. The sum of `s[t, j] * query[t]`
  /// is added to `keyGradient[j]`, and that of `w[t, j] * f[t, j] * gradient[t]` to
  /// `valueGradient[j]`.
  ///
  /// @param y as [#attention] found it
  /// @param logSums as [#attention] found them
  void attentionGradient(
      AttentionInputs<A> inputs,
      A y,
      double[] logSums,
      A gradient,
      A queryGradient,
      A keyGradient,
      A valueGradient);

  /// `y[n, f, i, j] = bias[f] + sum over c, u, v of x[n, c, i + u, j + v] * weight[f, c, u, v]`
  /// with the stride, padding, dilation and groups of `shape`:
  /// [dev.tensorbus.autograd.kernel.scalar.ConvolutionTerms] has the positions.
  ///
  /// @param bias the initial value of each channel of `y`; null for zeros
  void convolution(ConvolutionShape shape, A x, A weight, @Nullable A bias, A y);

  /// `bias[c]` and the sum of `gradient[n, f, i, j] * weight[f, c, u, v]` is `xGradient[n, c, i +
  /// u, j + v]`, for all terms of the same convolution. A transposed convolution is this kernel,
  /// with its input as `gradient`; a gradient has no bias.
  ///
  /// @param bias the initial value of each channel of `xGradient`; null for zeros
  void convolutionInputGradient(
      ConvolutionShape shape, A weight, A gradient, @Nullable A bias, A xGradient);

  /// `weightGradient[f, c, u, v] += gradient[n, f, i, j] * x[n, c, i + u, j + v]` for all terms
  /// of the same convolution.
  void convolutionWeightGradient(ConvolutionShape shape, A x, A gradient, A weightGradient);

  /// Lends an array for at least `length` intermediate values while `body` runs.
  void borrow(int length, Consumer<A> body);

  /// Returns the arithmetic of recurrent networks.
  Recurrence<A> recurrence();
}
