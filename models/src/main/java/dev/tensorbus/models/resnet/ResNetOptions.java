// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.resnet;

import java.util.List;

/// The settings of a [ResNet], for example `ResNetOptions.resnet18(10).forSmallImages()`.
///
/// @param blocks number of blocks in each stage; each stage after the first doubles the channels
/// @param width number of channels in the first stage
/// @param classes number of classes
/// @param smallImages whether the network starts with a 3x3 convolution, instead of a 7x7
///     convolution and a pooling layer, which together divide height and width by 4
public record ResNetOptions(List<Integer> blocks, int width, int classes, boolean smallImages) {
  /// @throws IllegalArgumentException if a size is below 1, or there are no blocks
  public ResNetOptions {
    blocks = List.copyOf(blocks);
    if (blocks.isEmpty() || width < 1 || classes < 1 || blocks.stream().anyMatch(n -> n < 1)) {
      throw new IllegalArgumentException(
          "resnet: blocks %s, width %d and classes %d; each must be 1 or more"
              .formatted(blocks, width, classes));
    }
  }

  /// Returns the settings of `torchvision.models.resnet18`: 18 layers and 11 million parameters.
  public static ResNetOptions resnet18(int classes) {
    return new ResNetOptions(List.of(2, 2, 2, 2), 64, classes, false);
  }

  /// Returns the settings of `torchvision.models.resnet34`: 34 layers and 21 million parameters.
  public static ResNetOptions resnet34(int classes) {
    return new ResNetOptions(List.of(3, 4, 6, 3), 64, classes, false);
  }

  /// Returns a copy with another number of channels in the first stage.
  public ResNetOptions withWidth(int width) {
    return new ResNetOptions(blocks, width, classes, smallImages);
  }

  /// Returns a copy for small images, such as CIFAR's 32x32, as in section 4.2 of the paper.
  public ResNetOptions forSmallImages() {
    return new ResNetOptions(blocks, width, classes, true);
  }
}
