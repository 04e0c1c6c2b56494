// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.convolution;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Sliding;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.functional.Convolutions;
import java.util.random.RandomGenerator;

/// A transposed convolution, which enlarges images: each value adds a scaled filter to the result.
/// Like `torch.nn.ConvTranspose2d`.
public final class ConvTranspose2d extends Convolution implements Forward {
  private final Sliding.Pair outputPadding;

  /// Creates filters with random parameters.
  public ConvTranspose2d(ConvolutionOptions options, RandomGenerator random) {
    this(options, Sliding.Pair.of(0), random);
  }

  /// Creates filters with random parameters.
  ///
  /// @param outputPadding the number of rows and columns to add to the result at the bottom and on
  ///     the right, less than the larger of stride and dilation
  public ConvTranspose2d(
      ConvolutionOptions options, Sliding.Pair outputPadding, RandomGenerator random) {
    super(options, options.transposedWeightShape(), random);
    this.outputPadding = outputPadding;
  }

  /// Computes `[n, filters, …, …]` from `[n, channels, h, w]`.
  ///
  /// @throws ShapeException if the shape is incompatible with this layer
  @Override
  public Tensor forward(Tensor images) {
    return Convolutions.convTranspose2d(
        images, weight, bias, options.sliding(), outputPadding, options.groups());
  }
}
