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

/// The numeric kernels behind tensor operations, on row-major arrays.
/// [dev.tensorbus.autograd.kernel.scalar.DoubleKernels] is the reference implementation. The
/// methods do not check shapes, and they write their results to arrays that the caller passes. They
/// are safe for concurrent use by any number of threads.
///
/// The length of the result array determines how many values an elementwise kernel computes.
///
/// @param <A> the array type: `float[]` for [Kernels], `double[]` for
///     [dev.tensorbus.autograd.kernel.scalar.DoubleKernels]
public interface Arithmetic<A> {
  /// Computes `sum[i] = a[i] + b[i % b.length]`.
  void add(A a, A b, A sum);

  /// Computes `difference[i] = a[i] - b[i % b.length]`.
  void subtract(A a, A b, A difference);

  /// Computes `product[i] = a[i] * b[i % b.length]`.
  void multiply(A a, A b, A product);

  /// Computes `quotient[i] = a[i] / b[i % b.length]`.
  void divide(A a, A b, A quotient);

  /// Computes `product[i] = x[i] * factor`.
  void scale(A x, double factor, A product);

  /// Computes `product[r, i] = x[r, i] * factors[r]` for each of the `factors.length` rows of `x`.
  void scaleRows(A x, A factors, A product);

  /// Computes `sum[r, i] = x[r, i] + terms[r]` for each of the `terms.length` rows of `x`.
  void addRows(A x, A terms, A sum);

  /// Sets `y[i]` to the larger of `a[i]` and `b[i]`, or to NaN if either is NaN.
  void maximum(A a, A b, A y);

  /// Sets `y[i]` to the smaller of `a[i]` and `b[i]`, or to NaN if either is NaN.
  void minimum(A a, A b, A y);

  /// Sets `mask[i]` to whether `a[i]` and `b[i]` are in the given order.
  void compare(Order order, A a, A b, boolean[] mask);

  /// Computes `y[i] = mask[i] ? a[i] : b[i]`.
  void choose(boolean[] mask, A a, A b, A y);

  /// Computes `y[i] = function.at(x[i])`.
  void map(UnaryFunction function, A x, A y);

  /// Computes `xGradient[i] = gradient[i] * function.derivative(kept[i])`. If the derivative is 0,
  /// the result is 0 even for an infinite gradient.
  ///
  /// @param kept `y` if the function [keeps its result][UnaryFunction#keepsResult], else `x`
  void mapGradient(UnaryFunction function, A kept, A gradient, A xGradient);

  /// Returns the sum of all values.
  double sum(A x);

  /// Computes `y[n, c, i] = bias[c]` for `y` of shape `[batch, bias.length, size]`.
  void fillChannels(A bias, int size, A y);

  /// Computes `y[n, c, i] = x[n, c, i] * factors[c] + terms[c]` for `x` and `y` of shape `[batch,
  /// factors.length, size]`.
  void affineChannels(A x, int size, A factors, A terms, A y);

  /// Sets `sums[c]` to the sum of `x[n, c, i]` over `n` and `i`, for `x` of shape `[batch,
  /// sums.length, size]`.
  void sumChannels(A x, int size, A sums);

  /// Sets `sums[b, j]` to the sum of `x[b, r, j]` over `r`, for `x` of shape `[blocks, rows,
  /// columns]`.
  void sumRows(int rows, int columns, A x, A sums);

  /// Computes `y[r, j] = x[r, j] - mean of row r` for rows of `columns` values, and sets
  /// `squares[r]` to the sum of `y[r, j]²` over `j`. The means are not rounded to the type of `x`,
  /// since the values may be much larger than their deviations.
  void deviations(A x, int columns, A y, double[] squares);

  /// Computes `y[i] = (x[i] - mean[g]) / sqrt(variance[g] + epsilon) * weight[c] + bias[c]`, where
  /// `i` belongs to group `g` and channel `c`.
  ///
  /// @param moments receives the mean and the variance of each group
  void normalize(NormalizationShape shape, A x, A weight, A bias, Moments moments, A y);

  /// Computes the gradients of [#normalize]. With `s = sqrt(variance[g] + epsilon)` and `z[i] =
  /// (x[i] - mean[g]) / s`, `xGradient[i] = (gradient[i] * weight[c] - a[g] - z[i] * b[g]) / s`,
  /// where `a[g]` is the mean of `gradient[i] * weight[c]` over the group and `b[g]` the mean of
  /// `gradient[i] * weight[c] * z[i]`. `weightGradient[c]` is the sum of `gradient[i] * z[i]` over
  /// the channel, and `biasGradient[c]` the sum of `gradient[i]`.
  ///
  /// @param moments the moments that [#normalize] computed
  void normalizeGradient(
      NormalizationShape shape,
      A x,
      A weight,
      Moments moments,
      A gradient,
      A xGradient,
      A weightGradient,
      A biasGradient);

  /// Computes `y[r, j] = exp(x[r, j]) / sum over j of exp(x[r, j])` for rows of `columns` values.
  void softmax(A x, int columns, A y);

  /// Computes `xGradient[r, j] = y[r, j] * (gradient[r, j] - sum over j of gradient[r, j] * y[r,
  /// j])`.
  void softmaxGradient(A y, A gradient, int columns, A xGradient);

  /// Computes `y[r, j] = x[r, j] - log(sum over j of exp(x[r, j]))` for rows of `columns` values.
  void logSoftmax(A x, int columns, A y);

  /// Computes `xGradient[r, j] = gradient[r, j] - exp(y[r, j]) * (sum over j of gradient[r, j])`.
  /// If the sum is 0, as in the row of an ignored label, nothing is subtracted even if `y` is NaN.
  void logSoftmaxGradient(A y, A gradient, int columns, A xGradient);

  /// Computes `logSums[r] = log(sum over j of exp(x[r, j]))` for rows of `columns` values. The
  /// results are not rounded to the type of `x`, because a loss is the small difference between
  /// such a result and a value of the row.
  void logSumExp(A x, int columns, double[] logSums);

  /// Sets `y` to `factor` times the [#softmax] of `x`, and `logSums` to the [#logSumExp] of `x`.
  void scaledSoftmax(A x, int columns, double factor, A y, double[] logSums);

  /// Adds `x[i]` to `sums[positions[i]]` for each `i`.
  void addAt(int[] positions, A x, A sums);

  /// Sets `y[b, j]` to the maximum of `x[b, r, j]` over `r`, and `positions[b, j]` to the offset in
  /// `x` at which this maximum first occurs, for `x` of shape `[blocks, rows, columns]`. NaN is
  /// larger than any number.
  void maxRows(int rows, int columns, A x, A y, int[] positions);

  /// Writes the maximum of each window to `y`, and the offset in `x` at which it first occurs in
  /// the window to `positions`. NaN is larger than any number.
  void maxPool(PoolingShape shape, A x, A y, int[] positions);

  /// Writes the mean of each window to `y`.
  void avgPool(PoolingShape shape, A x, A y);

  /// For each window, divides the gradient of its mean by the window's divisor, and adds the
  /// quotient to every value of `xGradient` in the window.
  void avgPoolGradient(PoolingShape shape, A gradient, A xGradient);

  /// Computes `c = a · b`.
  void matmul(MatmulShape shape, A a, A b, A c);

  /// Computes `c = a · b + bias`, with `bias[j]` added to each value of column `j`.
  void affine(MatmulShape shape, A a, A b, A bias, A c);

  /// Computes `c = a · b` for each of `batch` consecutive matrices.
  void matmuls(int batch, MatmulShape shape, A a, A b, A c);

  /// Computes scaled dot-product attention. A score is `scale` times the dot product of a query and
  /// a key; the mask is applied to it. The weights are the [#softmax] of a target's scores,
  /// multiplied by the dropout factors. Each result is the sum of an item's values, multiplied by
  /// the weights.
  ///
  /// @param logSums receives the [#logSumExp] of the scores of each target of each item
  void attention(AttentionInputs<A> inputs, A y, double[] logSums);

  /// Computes the gradients of [#attention]. For target `t` and source `j`, let `w` be the weight
  /// before dropout, `f` the dropout factor, and `s` the gradient of the scaled score:
  ///
  /// ```
  /// s[t, j] = scale * w[t, j] * (f[t, j] * (gradient[t] · value[j]) - gradient[t] · y[t])
  /// queryGradient[t] = sum over j of s[t, j] * key[j]
  /// keyGradient[j] += sum over t of s[t, j] * query[t]
  /// valueGradient[j] += sum over t of w[t, j] * f[t, j] * gradient[t]
  /// ```
  ///
  /// @param y the results that [#attention] computed
  /// @param logSums the `logSums` that [#attention] computed
  void attentionGradient(
      AttentionInputs<A> inputs,
      A y,
      double[] logSums,
      A gradient,
      A queryGradient,
      A keyGradient,
      A valueGradient);

  /// Computes `y[n, f, i, j] = bias[f] + sum over c, u, v of x[n, c, i + u, j + v] * weight[f, c,
  /// u, v]`, with the stride, padding, dilation and groups of `shape`.
  /// [dev.tensorbus.autograd.kernel.scalar.ConvolutionTerms] defines the exact indices.
  ///
  /// @param bias the initial value of each channel of `y`; null for zeros
  void convolution(ConvolutionShape shape, A x, A weight, @Nullable A bias, A y);

  /// Computes `xGradient[n, c, i + u, j + v]` as `bias[c]` plus the sum of `gradient[n, f, i, j] *
  /// weight[f, c, u, v]` over all terms of the [#convolution]. A transposed convolution uses this
  /// kernel with its input as `gradient`; only then is `bias` given.
  ///
  /// @param bias the initial value of each channel of `xGradient`; null for zeros
  void convolutionInputGradient(
      ConvolutionShape shape, A weight, A gradient, @Nullable A bias, A xGradient);

  /// Adds `gradient[n, f, i, j] * x[n, c, i + u, j + v]` to `weightGradient[f, c, u, v]` for all
  /// terms of the [#convolution].
  void convolutionWeightGradient(ConvolutionShape shape, A x, A gradient, A weightGradient);

  /// Runs `body` with an array for at least `length` intermediate values. `body` must not retain
  /// it.
  void borrow(int length, Consumer<A> body);

  /// Returns the kernels for recurrent networks.
  Recurrence<A> recurrence();
}
