// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.kernel;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.convolution.Conv2d;
import dev.tensorbus.nn.convolution.ConvolutionOptions;
import dev.tensorbus.nn.normalization.BatchNorm;
import java.util.random.RandomGenerator;

/// A residual block with 64 channels, from He et al., "Deep Residual Learning for Image
/// Recognition" (2015).
public final class ResidualBlock extends Layer implements Forward {
  private final Conv2d conv1;
  private final BatchNorm norm1;
  private final Conv2d conv2;
  private final BatchNorm norm2;

  /// Creates a block with random weights.
  public ResidualBlock(RandomGenerator random) {
    ConvolutionOptions options = ConvolutionOptions.of(64, 64, 3).withPadding(1).withoutBias();
    conv1 = child("conv1", new Conv2d(options, random));
    norm1 = child("norm1", new BatchNorm(64));
    conv2 = child("conv2", new Conv2d(options, random));
    norm2 = child("norm2", new BatchNorm(64));
  }

  @Override
  public Tensor forward(Tensor x) {
    Tensor between = norm1.forward(conv1.forward(x)).relu();
    return norm2.forward(conv2.forward(between)).add(x).relu();
  }
}
