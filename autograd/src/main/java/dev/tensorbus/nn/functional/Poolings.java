// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.functional;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Sliding;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.op.neural.PoolingOps;

/// Makes images `[n, c, h, w]` and sequences `[n, c, steps]` smaller, each channel by itself.
public final class Poolings {
  private Poolings() {}

  /// The greatest values of windows. After `torch.nn.functional.max_pool2d`.
  ///
  /// @throws ShapeException if there are not four axes or the window does not fit
  public static Tensor maxPool2d(Tensor images, Sliding.Pair kernel, Sliding sliding) {
    return PoolingOps.maxPool2d(images, kernel, sliding);
  }

  /// The same along sequences `[n, c, steps]`. After `torch.nn.functional.max_pool1d`.
  ///
  /// @param sliding of which the columns count
  /// @throws ShapeException if there are not three axes or the window does not fit
  public static Tensor maxPool1d(Tensor sequences, int kernel, Sliding sliding) {
    Sliding along = sliding.alongColumns();
    return maxPool2d(asRows("maxPool1d", sequences), new Sliding.Pair(1, kernel), along).squeeze(2);
  }

  /// The means of windows, in which padding counts as zeros. After
  /// `torch.nn.functional.avg_pool2d`.
  ///
  /// @throws ShapeException if there are not four axes or the window does not fit
  public static Tensor avgPool2d(Tensor images, Sliding.Pair kernel, Sliding sliding) {
    PoolingOps.requireFit("avgPool2d", images.shape(), kernel, sliding);
    Shape weight = Shape.of(1, 1, kernel.rows(), kernel.columns());
    Tensor equal = Tensor.full(weight, images.dtype(), 1.0 / weight.elements());
    Shape shape = images.shape();
    Tensor planes = images.reshape(shape.size(0) * shape.size(1), 1, shape.size(2), shape.size(3));
    Tensor means = Convolutions.conv2d(planes, equal, null, sliding, 1);
    return means.reshape(
        shape.size(0), shape.size(1), means.shape().size(2), means.shape().size(3));
  }

  /// The same along sequences `[n, c, steps]`. After `torch.nn.functional.avg_pool1d`.
  ///
  /// @param sliding of which the columns count
  /// @throws ShapeException if there are not three axes or the window does not fit
  public static Tensor avgPool1d(Tensor sequences, int kernel, Sliding sliding) {
    Sliding along = sliding.alongColumns();
    return avgPool2d(asRows("avgPool1d", sequences), new Sliding.Pair(1, kernel), along).squeeze(2);
  }

  /// The greatest values of as many windows as wanted, about equal in size. After
  /// `torch.nn.functional.adaptive_max_pool2d`.
  ///
  /// @throws ShapeException if there are not four axes
  public static Tensor adaptiveMaxPool2d(Tensor images, Sliding.Pair size) {
    return PoolingOps.adaptiveMaxPool2d(images, size);
  }

  /// The same along sequences `[n, c, steps]`. After `torch.nn.functional.adaptive_max_pool1d`.
  ///
  /// @throws ShapeException if there are not three axes
  public static Tensor adaptiveMaxPool1d(Tensor sequences, int size) {
    return adaptiveMaxPool2d(asRows("adaptiveMaxPool1d", sequences), new Sliding.Pair(1, size))
        .squeeze(2);
  }

  /// The means of such windows. After `torch.nn.functional.adaptive_avg_pool2d`.
  ///
  /// @throws ShapeException if there are not four axes
  public static Tensor adaptiveAvgPool2d(Tensor images, Sliding.Pair size) {
    PoolingOps.requireImages("adaptiveAvgPool2d", images.shape());
    Tensor rows = means(images.shape().size(2), size.rows(), images.dtype());
    Tensor columns = means(images.shape().size(3), size.columns(), images.dtype());
    return rows.matmul(images).matmul(columns.transpose(0, 1));
  }

  /// The same along sequences `[n, c, steps]`. After `torch.nn.functional.adaptive_avg_pool1d`.
  ///
  /// @throws ShapeException if there are not three axes
  public static Tensor adaptiveAvgPool1d(Tensor sequences, int size) {
    return adaptiveAvgPool2d(asRows("adaptiveAvgPool1d", sequences), new Sliding.Pair(1, size))
        .squeeze(2);
  }

  /// Sequences as images of one row.
  private static Tensor asRows(String operation, Tensor sequences) {
    if (sequences.shape().rank() != 3) {
      throw new ShapeException(operation, "%s is not [n, c, steps]".formatted(sequences.shape()));
    }
    return sequences.unsqueeze(2);
  }

  /// A matrix `[wanted, size]` that takes the mean of each window.
  private static Tensor means(int size, int wanted, DType type) {
    double[] factors = new double[wanted * size];
    int[][] windows = PoolingOps.adaptiveWindows(size, wanted);
    for (int output = 0; output < wanted; output++) {
      for (int position : windows[output]) {
        factors[output * size + position] = 1.0 / windows[output].length;
      }
    }
    return Tensor.ofStorage(Shape.of(wanted, size), factors).to(type);
  }
}
