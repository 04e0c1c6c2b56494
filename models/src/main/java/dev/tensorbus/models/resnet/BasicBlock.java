// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.resnet;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.Sequential;
import dev.tensorbus.nn.convolution.Conv2d;
import dev.tensorbus.nn.convolution.ConvolutionOptions;
import dev.tensorbus.nn.normalization.BatchNorm;
import java.util.random.RandomGenerator;

/// A residual block of two convolutions. Like `torchvision.models.resnet.BasicBlock`.
final class BasicBlock extends Layer implements Forward {
  private final Conv2d conv1;
  private final BatchNorm bn1;
  private final Conv2d conv2;
  private final BatchNorm bn2;

  /// The residual connection. It has weights only if the block changes the shape.
  private final Forward shortcut;

  BasicBlock(int channels, int filters, int stride, RandomGenerator random) {
    conv1 = child("conv1", convolution(channels, filters, 3, stride, random));
    bn1 = child("bn1", new BatchNorm(filters));
    conv2 = child("conv2", convolution(filters, filters, 3, 1, random));
    bn2 = child("bn2", new BatchNorm(filters));
    shortcut =
        stride == 1 && channels == filters
            ? x -> x
            : child(
                "downsample",
                new Sequential(
                    convolution(channels, filters, 1, stride, random), new BatchNorm(filters)));
  }

  private static Conv2d convolution(
      int channels, int filters, int kernel, int stride, RandomGenerator random) {
    return new Conv2d(
        ConvolutionOptions.of(channels, filters, kernel)
            .withStride(stride)
            .withPadding(kernel / 2)
            .withoutBias(),
        random);
  }

  @Override
  public Tensor forward(Tensor x) {
    Tensor hidden = bn1.forward(conv1.forward(x)).relu();
    return bn2.forward(conv2.forward(hidden)).add(shortcut.forward(x)).relu();
  }
}
