// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.functional;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.shape.NormalizationShape;
import dev.tensorbus.autograd.op.neural.NormalizationOps;
import java.util.Arrays;

/// Normalizes values to mean 0 and variance 1 over different axes, then applies a learned scale and
/// shift.
public final class Normalizations {
  /// The constant that is added to the variance for numerical stability, as in torch.
  public static final double EPSILON = 1e-5;

  private Normalizations() {}

  /// Normalizes over the last axes, whose sizes are the shape of `weight`. Ba, Kiros and Hinton,
  /// "Layer Normalization" (2016). Like `torch.nn.functional.layer_norm`.
  ///
  /// @throws ShapeException if the shapes are incompatible
  public static Tensor layerNorm(Tensor x, Tensor weight, Tensor bias, double epsilon) {
    int rank = x.shape().rank();
    int axes = weight.shape().rank();
    int[] last = Arrays.copyOfRange(x.shape().toArray(), Math.max(0, rank - axes), rank);
    if (axes == 0 || !Shape.of(last).equals(weight.shape())) {
      throw new ShapeException(
          "layerNorm", x.shape() + " does not end with the shape of weight " + weight.shape());
    }
    int size = weight.shape().elements();
    int groups = size == 0 ? 0 : x.shape().elements() / size;
    requireEqual("layerNorm", weight.shape(), bias.shape());
    NormalizationShape shape = new NormalizationShape(groups, size, size, 1, epsilon);
    return NormalizationOps.normalize(shape, weight.shape(), x, weight, bias).values();
  }

  /// Normalizes over groups of channels of `[n, channels, …]`. Wu and He, "Group Normalization"
  /// (2018). Like `torch.nn.functional.group_norm`.
  ///
  /// @throws ShapeException if the shapes are incompatible, or the channels cannot be divided into
  ///     `groups` groups
  public static Tensor groupNorm(Tensor x, int groups, Tensor weight, Tensor bias, double epsilon) {
    Shape shape = x.shape();
    requireChannels("groupNorm", shape, weight.shape());
    if (groups < 1 || shape.size(1) % groups != 0) {
      throw new ShapeException(
          "groupNorm", shape.size(1) + " channels cannot be divided into " + groups + " groups");
    }
    int all = shape.size(0) * groups;
    int size = all == 0 ? 0 : shape.elements() / all;
    return channelsNormalized("groupNorm", all, size, epsilon, x, weight, bias).values();
  }

  /// A normalized batch with the mean and the (biased) variance of each channel.
  public record Batch(Tensor values, Tensor mean, Tensor variance) {}

  /// Normalizes each channel of `[n, channels, …]` over all other axes. Ioffe and Szegedy, "Batch
  /// Normalization" (2015).
  ///
  /// @throws ShapeException if the shapes are incompatible, or a channel has fewer than two values
  public static Batch batchNorm(Tensor x, Tensor weight, Tensor bias, double epsilon) {
    Shape shape = x.shape();
    if (shape.rank() < 2 || shape.elements() / Math.max(1, shape.size(1)) < 2) {
      throw new ShapeException(
          "batchNorm",
          shape + " has fewer than two values per channel; training needs at least two");
    }
    requireChannels("batchNorm", shape, weight.shape());
    int size = shape.elements() / shape.size(0) / shape.size(1);
    NormalizationOps.Normalized batch =
        channelsNormalized("batchNorm", shape.size(1), size, epsilon, x, weight, bias);
    return new Batch(batch.values(), batch.mean(), batch.variance());
  }

  /// Normalizes each channel with a given mean and variance.
  ///
  /// @throws ShapeException if the shapes are incompatible
  public static Tensor batchNorm(
      Tensor x, Tensor mean, Tensor variance, Tensor weight, Tensor bias, double epsilon) {
    requireChannels("batchNorm", x.shape(), weight.shape());
    Tensor deviation = variance.add(Tensor.full(Shape.SCALAR, x.dtype(), epsilon)).sqrt();
    Tensor scale = weight.div(deviation);
    return NormalizationOps.affineChannels(x, scale, bias.sub(mean.mul(scale)));
  }

  private static NormalizationOps.Normalized channelsNormalized(
      String operation,
      int groups,
      int size,
      double epsilon,
      Tensor x,
      Tensor weight,
      Tensor bias) {
    requireEqual(operation, weight.shape(), bias.shape());
    int channels = x.shape().size(1);
    int images = x.shape().size(0) * channels;
    int inner = images == 0 ? 0 : x.shape().elements() / images;
    NormalizationShape shape = new NormalizationShape(groups, size, channels, inner, epsilon);
    return NormalizationOps.normalize(shape, Shape.of(channels(x.shape())), x, weight, bias);
  }

  private static void requireEqual(String operation, Shape weight, Shape bias) {
    if (!bias.equals(weight)) {
      throw new ShapeException(
          operation, "the shapes of weight " + weight + " and bias " + bias + " differ");
    }
  }

  private static void requireChannels(String operation, Shape x, Shape weight) {
    if (x.rank() < 2 || !weight.equals(Shape.of(x.size(1)))) {
      throw new ShapeException(
          operation, x + " is not [n, channels, …] with as many channels as weight " + weight);
    }
  }

  /// Returns the sizes `[1, channels, 1, …]`.
  private static int[] channels(Shape shape) {
    int[] sizes = new int[shape.rank()];
    Arrays.fill(sizes, 1);
    sizes[1] = shape.size(1);
    return sizes;
  }
}
