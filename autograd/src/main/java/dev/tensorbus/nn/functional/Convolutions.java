// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.functional;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Sliding;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.op.neural.ConvolutionOps;
import org.jspecify.annotations.Nullable;

/// Filters that slide over images and sequences.
public final class Convolutions {
  private Convolutions() {}

  /// Correlates images `[n, c, h, w]` with filters `[f, c / groups, u, v]`, giving `f` channels.
  /// After `torch.nn.functional.conv2d`.
  ///
  /// @param bias `[f]`, or null for none
  /// @param groups parts into which channels and filters fall; a filter sees its own part only
  /// @throws ShapeException if the shapes do not fit
  public static Tensor conv2d(
      Tensor images, Tensor weight, @Nullable Tensor bias, Sliding sliding, int groups) {
    return ConvolutionOps.conv2d(images, weight, bias, sliding, groups);
  }

  /// Correlates sequences `[n, c, steps]` with filters `[f, c / groups, v]`. After
  /// `torch.nn.functional.conv1d`.
  ///
  /// @param sliding of which the columns count
  /// @throws ShapeException if the shapes do not fit
  public static Tensor conv1d(
      Tensor sequences, Tensor weight, @Nullable Tensor bias, Sliding sliding, int groups) {
    requireThree(sequences.shape(), weight.shape());
    Tensor rows = sequences.unsqueeze(2);
    return conv2d(rows, weight.unsqueeze(2), bias, sliding.alongColumns(), groups).squeeze(2);
  }

  private static void requireThree(Shape sequences, Shape weight) {
    if (sequences.rank() != 3 || weight.rank() != 3) {
      throw new ShapeException(
          "conv1d",
          "sequences %s and weight %s; expected three axes each".formatted(sequences, weight));
    }
  }

  /// The transpose of [#conv2d]: each value of `[n, c, h, w]` adds a filter of `[c, f / groups,
  /// u, v]`, times itself, to `f` channels. After `torch.nn.functional.conv_transpose2d`.
  ///
  /// @param outputPadding rows and columns added at the end, fewer than the stride or the
  ///     dilation: a stride of two makes results of two sizes equally small, and this says which
  ///     is meant
  /// @throws ShapeException if the shapes do not fit
  public static Tensor convTranspose2d(
      Tensor images,
      Tensor weight,
      @Nullable Tensor bias,
      Sliding sliding,
      Sliding.Pair outputPadding,
      int groups) {
    return ConvolutionOps.convTranspose2d(images, weight, bias, sliding, outputPadding, groups);
  }
}
