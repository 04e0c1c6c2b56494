// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.convolution;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.functional.Convolutions;
import java.util.random.RandomGenerator;

/// Filters that slide over images. Like `torch.nn.Conv2d`.
public final class Conv2d extends Convolution implements Forward {
  /// Creates `filters` square filters of size `kernel` with random parameters, stride 1 and no
  /// padding.
  public Conv2d(int channels, int filters, int kernel, RandomGenerator random) {
    this(ConvolutionOptions.of(channels, filters, kernel), random);
  }

  /// Creates filters with random parameters.
  public Conv2d(ConvolutionOptions options, RandomGenerator random) {
    super(options, options.weightShape(), random);
  }

  /// Computes `[n, filters, …, …]` from `[n, channels, h, w]`. With stride 1 and no padding,
  /// the last two sizes are `h - kernel + 1` and `w - kernel + 1`.
  ///
  /// @throws ShapeException if the shape is incompatible with this layer
  @Override
  public Tensor forward(Tensor images) {
    return Convolutions.conv2d(images, weight, bias, options.sliding(), options.groups());
  }
}
