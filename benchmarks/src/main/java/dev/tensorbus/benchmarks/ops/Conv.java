// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.ops;

import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Sliding;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.benchmarks.kernel.ResidualBlock;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.convolution.Conv1d;
import dev.tensorbus.nn.convolution.Conv2d;
import dev.tensorbus.nn.convolution.ConvTranspose2d;
import dev.tensorbus.nn.convolution.ConvolutionOptions;
import dev.tensorbus.nn.functional.Poolings;
import dev.tensorbus.nn.normalization.BatchNorm;
import dev.tensorbus.nn.normalization.GroupNorm;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/// The layers of image networks: convolutions, poolings and normalizations.
final class Conv extends Group {
  Conv() {
    super("conv");
    addConvolutions();
    addPoolings();
    addNormalizations();
    pass("resblock.fb.16x64x28", () -> new ResidualBlock(random), 16, 64, 28, 28);
  }

  private void addConvolutions() {
    conv("3x3.16x64x56", ConvolutionOptions.of(64, 64, 3).withPadding(1), 16, 56);
    conv("1x1.16x64x56to256", ConvolutionOptions.of(64, 256, 1), 16, 56);
    conv("7x7s2.8x3x224", ConvolutionOptions.of(3, 64, 7).withStride(2).withPadding(3), 8, 224);
    conv(
        "3x3s2.16x64x56to128",
        ConvolutionOptions.of(64, 128, 3).withStride(2).withPadding(1),
        16,
        56);
    conv("3x3.16x256x14", ConvolutionOptions.of(256, 256, 3).withPadding(1), 16, 14);
    ConvolutionOptions grouped = ConvolutionOptions.of(128, 128, 3).withPadding(1);
    conv("depthwise3.16x128x28", grouped.withGroups(128), 16, 28);
    conv("groups4.16x128x28", grouped.withGroups(4), 16, 28);
    conv("dil2.16x64x28", ConvolutionOptions.of(64, 64, 3).withPadding(2).withDilation(2), 16, 28);
    conv("31x31.2x4x64", ConvolutionOptions.of(4, 4, 31).withPadding(15), 2, 64);
    ConvolutionOptions larger = ConvolutionOptions.of(64, 32, 4).withStride(2).withPadding(1);
    pass("convT.fb.4x4s2.8x64x28", () -> new ConvTranspose2d(larger, random), 8, 64, 28, 28);
    ConvolutionOptions sequences = ConvolutionOptions.of(64, 64, 5).withPadding(2);
    pass("conv1d.fb.16x64x1000k5", () -> new Conv1d(sequences, random), 16, 64, 1000);
  }

  /// Adds two benchmarks of a convolution on `count` square images with sides of length `side`: the
  /// forward pass alone, and the forward and the backward pass. The images require a gradient in
  /// both.
  private void conv(String name, ConvolutionOptions options, int count, int side) {
    int[] sizes = {count, options.channels(), side, side};
    evaluation("conv.f." + name, () -> new Conv2d(options, random), sizes);
    pass("conv.fb." + name, () -> new Conv2d(options, random), sizes);
  }

  private void addPoolings() {
    Sliding.Pair three = Sliding.Pair.of(3);
    Sliding overlapping = Sliding.ONE.withStride(2).withPadding(1);
    pool("maxpool3s2", x -> Poolings.maxPool2d(x, three, overlapping));
    pool("maxpool2", x -> x.maxPool2d(2));
    pool("maxpool3", x -> x.maxPool2d(3));
    pool("avgpool3s2", x -> Poolings.avgPool2d(x, three, overlapping));
    pool("adaptiveavg1", x -> Poolings.adaptiveAvgPool2d(x, Sliding.Pair.of(1)));
    pool("adaptivemax7", x -> Poolings.adaptiveMaxPool2d(x, Sliding.Pair.of(7)));
  }

  private void pool(String name, UnaryOperator<Tensor> function) {
    forwardBackward(name + ".fb.16x64x112", function, 16, 64, 112, 112);
  }

  private void addNormalizations() {
    pass("batchnorm.fb.16x64x56", () -> new BatchNorm(64), 16, 64, 56, 56);
    evaluation("batchnorm.eval.16x64x56", () -> new BatchNorm(64), 16, 64, 56, 56);
    pass("groupnorm.fb.16x64x56", () -> new GroupNorm(8, 64), 16, 64, 56, 56);
    pass("batchnorm1d.fb.1024x256", () -> new BatchNorm(256), 1024, 256);
  }

  private <L extends Layer & Forward> void evaluation(
      String name, Supplier<L> layers, int... sizes) {
    add(
        name,
        () -> {
          L layer = layers.get();
          layer.eval();
          Tensor x = leaf(sizes);
          return () -> NoGrad.run(() -> layer.forward(x));
        });
  }

  private <L extends Layer & Forward> void pass(String name, Supplier<L> layers, int... sizes) {
    add(
        name,
        () -> {
          L layer = layers.get();
          Tensor x = leaf(sizes);
          return () -> {
            backward(layer.forward(x), x);
            layer.zeroGrad();
          };
        });
  }
}
