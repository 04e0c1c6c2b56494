// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.resnet;

import dev.tensorbus.autograd.Sliding;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Initializers;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.Sequential;
import dev.tensorbus.nn.convolution.Conv2d;
import dev.tensorbus.nn.convolution.ConvolutionOptions;
import dev.tensorbus.nn.normalization.BatchNorm;
import dev.tensorbus.nn.pooling.MaxPool2d;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/// A residual network (He et al., "Deep Residual Learning for Image Recognition", 2015), with the
/// parameter names of `torchvision.models.resnet18`.
public final class ResNet extends Layer implements Forward {
  private final Conv2d conv1;
  private final BatchNorm bn1;
  private final Forward pool;
  private final List<Sequential> stages = new ArrayList<>();
  private final Linear fc;

  /// Creates an untrained network.
  public ResNet(ResNetOptions options, RandomGenerator random) {
    conv1 = child("conv1", new Conv2d(first(options), random));
    bn1 = child("bn1", new BatchNorm(options.width()));
    pool =
        options.smallImages()
            ? x -> x
            : new MaxPool2d(Sliding.Pair.of(3), Sliding.ONE.withStride(2).withPadding(1));
    int channels = options.width();
    for (int stage = 0; stage < options.blocks().size(); stage++) {
      int filters = options.width() << stage;
      int stride = stage == 0 ? 1 : 2;
      Sequential blocks = stage(options.blocks().get(stage), channels, filters, stride, random);
      stages.add(child("layer" + (stage + 1), blocks));
      channels = filters;
    }
    fc = child("fc", new Linear(channels, options.classes(), random));
    namedParameters().values().stream()
        .filter(weight -> weight.shape().rank() == 4)
        .forEach(weight -> Initializers.kaimingNormal(weight, random));
  }

  private static ConvolutionOptions first(ResNetOptions options) {
    return options.smallImages()
        ? ConvolutionOptions.of(3, options.width(), 3).withPadding(1).withoutBias()
        : ConvolutionOptions.of(3, options.width(), 7).withStride(2).withPadding(3).withoutBias();
  }

  /// Creates a stage. Only the first block applies the stride and changes the number of channels.
  private static Sequential stage(
      int blocks, int channels, int filters, int stride, RandomGenerator random) {
    return new Sequential(
        IntStream.range(0, blocks)
            .mapToObj(
                i ->
                    i == 0
                        ? new BasicBlock(channels, filters, stride, random)
                        : new BasicBlock(filters, filters, 1, random))
            .toArray(Forward[]::new));
  }

  /// Returns the scores `[n, classes]` for images `[n, 3, height, width]`.
  @Override
  public Tensor forward(Tensor images) {
    Tensor x = pool.forward(bn1.forward(conv1.forward(images)).relu());
    for (Sequential stage : stages) {
      x = stage.forward(x);
    }
    return fc.forward(x.mean(2, 3));
  }
}
