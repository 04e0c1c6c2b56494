// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.functional;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Sliding;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.op.neural.PoolingOps;

/// Downsamples images `[n, c, h, w]` and sequences `[n, c, steps]`, each channel separately.
public final class Poolings {
  private Poolings() {}

  /// Returns the maximum of each window. Like `torch.nn.functional.max_pool2d`.
  ///
  /// @throws ShapeException if there are not four axes or the window does not fit
  public static Tensor maxPool2d(Tensor images, Sliding.Pair kernel, Sliding sliding) {
    return PoolingOps.maxPool2d(images, kernel, sliding);
  }

  /// Returns the maximum of each window of sequences `[n, c, steps]`. Like
  /// `torch.nn.functional.max_pool1d`.
  ///
  /// @param sliding how windows slide; only the values for columns are used
  /// @throws ShapeException if there are not three axes or the window does not fit
  public static Tensor maxPool1d(Tensor sequences, int kernel, Sliding sliding) {
    Sliding along = sliding.alongColumns();
    return maxPool2d(asRows("maxPool1d", sequences), new Sliding.Pair(1, kernel), along).squeeze(2);
  }

  /// Returns the mean of each window, in which padding values count as zeros. Like
  /// `torch.nn.functional.avg_pool2d`.
  ///
  /// @throws ShapeException if there are not four axes or the window does not fit
  public static Tensor avgPool2d(Tensor images, Sliding.Pair kernel, Sliding sliding) {
    return PoolingOps.avgPool2d(images, kernel, sliding);
  }

  /// Returns the mean of each window of sequences `[n, c, steps]`. Like
  /// `torch.nn.functional.avg_pool1d`.
  ///
  /// @param sliding how windows slide; only the values for columns are used
  /// @throws ShapeException if there are not three axes or the window does not fit
  public static Tensor avgPool1d(Tensor sequences, int kernel, Sliding sliding) {
    Sliding along = sliding.alongColumns();
    return avgPool2d(asRows("avgPool1d", sequences), new Sliding.Pair(1, kernel), along).squeeze(2);
  }

  /// Returns the maximum of each window, where windows of nearly equal size are chosen such that
  /// the result has the given size. Like `torch.nn.functional.adaptive_max_pool2d`.
  ///
  /// @throws ShapeException if there are not four axes or an image is empty
  public static Tensor adaptiveMaxPool2d(Tensor images, Sliding.Pair size) {
    return PoolingOps.adaptiveMaxPool2d(images, size);
  }

  /// Does the same as [#adaptiveMaxPool2d] for sequences `[n, c, steps]`. Like
  /// `torch.nn.functional.adaptive_max_pool1d`.
  ///
  /// @throws ShapeException if there are not three axes or a sequence is empty
  public static Tensor adaptiveMaxPool1d(Tensor sequences, int size) {
    return adaptiveMaxPool2d(asRows("adaptiveMaxPool1d", sequences), new Sliding.Pair(1, size))
        .squeeze(2);
  }

  /// Returns the mean of each window, where windows of nearly equal size are chosen such that the
  /// result has the given size. Like `torch.nn.functional.adaptive_avg_pool2d`.
  ///
  /// @throws ShapeException if there are not four axes or an image is empty
  public static Tensor adaptiveAvgPool2d(Tensor images, Sliding.Pair size) {
    return PoolingOps.adaptiveAvgPool2d(images, size);
  }

  /// Does the same as [#adaptiveAvgPool2d] for sequences `[n, c, steps]`. Like
  /// `torch.nn.functional.adaptive_avg_pool1d`.
  ///
  /// @throws ShapeException if there are not three axes or a sequence is empty
  public static Tensor adaptiveAvgPool1d(Tensor sequences, int size) {
    return adaptiveAvgPool2d(asRows("adaptiveAvgPool1d", sequences), new Sliding.Pair(1, size))
        .squeeze(2);
  }

  /// Converts sequences to images with one row.
  private static Tensor asRows(String operation, Tensor sequences) {
    if (sequences.shape().rank() != 3) {
      throw new ShapeException(operation, "%s is not [n, c, steps]".formatted(sequences.shape()));
    }
    return sequences.unsqueeze(2);
  }
}
