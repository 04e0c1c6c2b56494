// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.convolution;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.functional.Convolutions;
import dev.tensorbus.nn.functional.Convolutions.Frames;
import java.util.random.RandomGenerator;

/// Filters that slide over volumes, such as the frames of a video. Like `torch.nn.Conv3d`.
public final class Conv3d extends Convolution implements Forward {
  private final Frames frames;

  /// Creates `filters` cubic filters of size `kernel` with random parameters, stride 1 and no
  /// padding.
  public Conv3d(int channels, int filters, int kernel, RandomGenerator random) {
    this(ConvolutionOptions.of(channels, filters, kernel), kernel, Frames.ONE, random);
  }

  /// Creates filters with random parameters.
  ///
  /// @param options the options for the rows and columns of each frame
  /// @param kernel the number of frames of a filter
  /// @param frames how filters slide along the frames
  public Conv3d(ConvolutionOptions options, int kernel, Frames frames, RandomGenerator random) {
    super(options, shape(options.weightShape(), kernel), random);
    this.frames = frames;
  }

  private static Shape shape(Shape image, int kernel) {
    return Shape.of(image.size(0), image.size(1), kernel, image.size(2), image.size(3));
  }

  /// Computes `[n, filters, …, …, …]` from `[n, channels, frames, h, w]`.
  ///
  /// @throws ShapeException if the shape is incompatible with this layer
  @Override
  public Tensor forward(Tensor volumes) {
    return Convolutions.conv3d(volumes, weight, bias, frames, options.sliding(), options.groups());
  }
}
