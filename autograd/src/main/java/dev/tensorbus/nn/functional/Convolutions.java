// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.functional;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Sliding;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.op.neural.ConvolutionOps;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Convolutions of images, sequences and volumes.
public final class Convolutions {
  private Convolutions() {}

  /// Convolves images `[n, c, h, w]` with filters `[f, c / groups, u, v]`, giving `f` channels.
  /// Like `torch.nn.functional.conv2d`.
  ///
  /// @param bias `[f]`, or null for none
  /// @param groups the number of groups of channels and filters; a filter uses only the channels of
  ///     its own group
  /// @throws ShapeException if the shapes are incompatible
  public static Tensor conv2d(
      Tensor images, Tensor weight, @Nullable Tensor bias, Sliding sliding, int groups) {
    return ConvolutionOps.conv2d(images, weight, bias, sliding, groups);
  }

  /// Convolves sequences `[n, c, steps]` with filters `[f, c / groups, v]`. Like
  /// `torch.nn.functional.conv1d`.
  ///
  /// @param sliding how filters slide; only the values for columns are used
  /// @throws ShapeException if the shapes are incompatible
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

  /// How filters slide along the frames of volumes; [Sliding] defines how they slide over each
  /// frame.
  ///
  /// @param stride the step in frames from one result to the next
  /// @param padding the number of zero frames before the first and after the last
  /// @param dilation the step in frames from one value of the filter to the next
  public record Frames(int stride, int padding, int dilation) {
    /// Stride 1, no padding, no dilation.
    public static final Frames ONE = new Frames(1, 0, 1);

    /// @throws IllegalArgumentException if the stride or dilation is not positive or the padding is
    ///     negative
    public Frames {
      if (stride < 1 || dilation < 1 || padding < 0) {
        throw new IllegalArgumentException(
            "frames: stride %d, padding %d, dilation %d; expected at least 1, 0 and 1"
                .formatted(stride, padding, dilation));
      }
    }

    /// Returns the indices, in the padded volume, of the frames that a filter covers: first for
    /// frame 0 of the result, then for frame 1, and so on.
    private long[] seen(Shape volumes, int kernel) {
      int free = volumes.size(2) + 2 * padding - dilation * (kernel - 1) - 1;
      if (free < 0) {
        throw new ShapeException(
            "conv3d", "%s is smaller than a filter of %d frames".formatted(volumes, kernel));
      }
      long[] seen = new long[(free / stride + 1) * kernel];
      Arrays.setAll(seen, i -> (long) i / kernel * stride + (long) i % kernel * dilation);
      return seen;
    }
  }

  /// Convolves volumes `[n, c, frames, h, w]` with filters `[f, c / groups, t, u, v]`. It is
  /// implemented as a [#conv2d] of images whose channels are the frames that a filter covers, so
  /// each frame is copied up to `t` times. Like `torch.nn.functional.conv3d`.
  ///
  /// @throws ShapeException if the shapes are incompatible
  public static Tensor conv3d(
      Tensor volumes,
      Tensor weight,
      @Nullable Tensor bias,
      Frames frames,
      Sliding sliding,
      int groups) {
    Shape shape = volumes.shape();
    Shape filters = weight.shape();
    if (shape.rank() != 5 || filters.rank() != 5) {
      throw new ShapeException(
          "conv3d", "volumes %s and weight %s; expected five axes each".formatted(shape, filters));
    }
    int kernel = filters.size(2);
    long[] seen = frames.seen(shape, kernel);
    int count = seen.length / Math.max(1, kernel);
    Tensor images =
        volumes
            .pad(2, frames.padding, frames.padding, 0)
            .indexSelect(2, Tensor.ofLongs(seen))
            .reshape(shape.size(0), shape.size(1), count, kernel, shape.size(3), shape.size(4))
            .permute(0, 2, 1, 3, 4, 5)
            .reshape(shape.size(0) * count, shape.size(1) * kernel, shape.size(3), shape.size(4));
    Tensor flat =
        weight.reshape(filters.size(0), filters.size(1) * kernel, filters.size(3), filters.size(4));
    Tensor y = conv2d(images, flat, bias, sliding, groups);
    return y.reshape(shape.size(0), count, filters.size(0), y.shape().size(2), y.shape().size(3))
        .permute(0, 2, 1, 3, 4);
  }

  /// Computes the transpose of [#conv2d]: each value of `[n, c, h, w]` scales a filter of `[c, f /
  /// groups, u, v]`, which is added to the `f` output channels. Like
  /// `torch.nn.functional.conv_transpose2d`.
  ///
  /// @param outputPadding the number of rows and columns to add to the result at the bottom and on
  ///     the right, less than the larger of stride and dilation. It resolves an ambiguity: with a
  ///     stride of 2, conv2d maps two different input sizes to the same output size
  /// @throws ShapeException if the shapes are incompatible
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
