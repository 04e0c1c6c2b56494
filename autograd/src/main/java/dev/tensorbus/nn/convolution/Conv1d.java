// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.convolution;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.functional.Convolutions;
import java.util.random.RandomGenerator;

/// Filters that slide over sequences. Like `torch.nn.Conv1d`.
public final class Conv1d extends Convolution implements Forward {
  /// Creates filters with random parameters. Only the options' values for columns are used.
  public Conv1d(ConvolutionOptions options, RandomGenerator random) {
    super(options, options.rowWeightShape(), random);
  }

  /// Computes `[n, filters, …]` from `[n, channels, steps]`.
  ///
  /// @throws ShapeException if the shape is incompatible with this layer
  @Override
  public Tensor forward(Tensor sequences) {
    return Convolutions.conv1d(sequences, weight, bias, options.sliding(), options.groups());
  }
}
