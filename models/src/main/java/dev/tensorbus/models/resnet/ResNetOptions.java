// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.resnet;

import java.util.List;

/// The settings of a [ResNet]: `ResNetOptions.resnet18(10).forSmallImages()`.
///
/// @param blocks how many blocks each stage has; a stage has twice the channels of the one before
/// @param width channels of the first stage
/// @param classes how many kinds of images it tells apart
/// @param smallImages whether the network begins with a convolution of 3 x 3, in place of one of
///     7 x 7 and a pooling, which make images 4 times smaller
public record ResNetOptions(List<Integer> blocks, int width, int classes, boolean smallImages) {
  /// Checks the sizes.
  public ResNetOptions {
    blocks = List.copyOf(blocks);
    if (blocks.isEmpty() || width < 1 || classes < 1 || blocks.stream().anyMatch(n -> n < 1)) {
      throw new IllegalArgumentException(
          "resnet: blocks %s, width %d and classes %d; each must be 1 or more"
              .formatted(blocks, width, classes));
    }
  }

  /// 18 layers with weights, as in `torchvision.models.resnet18`: 11 million parameters.
  public static ResNetOptions resnet18(int classes) {
    return new ResNetOptions(List.of(2, 2, 2, 2), 64, classes, false);
  }

  /// 34 layers with weights, as in `torchvision.models.resnet34`: 21 million parameters.
  public static ResNetOptions resnet34(int classes) {
    return new ResNetOptions(List.of(3, 4, 6, 3), 64, classes, false);
  }

  /// The same with so many channels in the first stage.
  public ResNetOptions withWidth(int width) {
    return new ResNetOptions(blocks, width, classes, smallImages);
  }

  /// The same for images such as CIFAR's, 32 x 32. Section 4.2 of the paper begins so, too.
  public ResNetOptions forSmallImages() {
    return new ResNetOptions(blocks, width, classes, true);
  }
}
