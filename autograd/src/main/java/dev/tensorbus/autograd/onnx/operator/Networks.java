// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.operator;

import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Sliding;
import dev.tensorbus.autograd.Sliding.Pair;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.functional.Convolutions;
import dev.tensorbus.nn.functional.Convolutions.Frames;
import dev.tensorbus.nn.functional.Interpolations;
import dev.tensorbus.nn.functional.Losses;
import dev.tensorbus.nn.functional.Normalizations;
import dev.tensorbus.nn.functional.Poolings;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The operators that networks are made of: products, convolutions, normalizations, pooling.
final class Networks {
  private Networks() {}

  static void addTo(Table table) {
    table.learned("MatMul", call -> call.x().matmul(call.y()));
    table.learned("Gemm", Networks::gemm);
    table.add("Einsum", call -> Tensor.einsum(call.text("equation", ""), tensors(call)));
    table.learned("Conv", Networks::conv);
    table.learned("ConvTranspose", Networks::convTranspose);
    normalizations(table);
    poolings(table);
    table.add("Resize", Networks::resize);
    table.add("Dropout", Operator.Weights.NONE, Networks::dropout);
    table.add("NegativeLogLikelihoodLoss", call -> Losses.nllLoss(requireMean(call), call.y()));
    table.add("SoftmaxCrossEntropyLoss", call -> Losses.crossEntropy(requireMean(call), call.y()));
  }

  private static Tensor[] tensors(Call call) {
    return call.all().toArray(Tensor[]::new);
  }

  private static Tensor gemm(Call call) {
    boolean isTransposed = call.flag("transB", false);
    double alpha = call.real("alpha", 1);
    double beta = call.real("beta", 1);
    Tensor a = call.flag("transA", false) ? call.x().transpose(0, 1) : call.x();
    Tensor b = call.y();
    boolean isPlain = alpha == 1 && beta == 1 && isTransposed && call.has(2);
    if (isPlain && call.input(2).shape().equals(Shape.of(b.shape().size(0)))) {
      return a.linear(b, call.input(2));
    }
    Tensor product = a.matmul(isTransposed ? b.transpose(0, 1) : b);
    Tensor scaled = alpha == 1 ? product : product.scale(alpha);
    if (!call.has(2)) {
      return scaled;
    }
    Tensor c = call.input(2);
    return scaled.add(beta == 1 ? c : c.scale(beta));
  }

  private static Tensor conv(Call call) {
    Tensor weight = call.y();
    int groups = call.integer("group", 1);
    Tensor bias = call.optional(2);
    if (weight.shape().rank() == 5) {
      return conv3d(call, weight, bias, groups);
    }
    int axes = axes(call);
    Tensor images = images(call.x());
    Tensor filters = images(weight);
    Windows windows = windows(call, axes, images, filters.shape());
    Tensor padded = windows.isEven() ? images : windows.padded(images, 0);
    Sliding sliding = windows.sliding(!windows.isEven());
    return restored(Convolutions.conv2d(padded, filters, bias, sliding, groups), axes);
  }

  private static Windows windows(Call call, int axes, Tensor images, Shape filters) {
    int[] kernel = {filters.size(2), filters.size(3)};
    return Windows.of(call, axes, images, kernel);
  }

  private static Tensor conv3d(Call call, Tensor weight, @Nullable Tensor bias, int groups) {
    int[] strides = call.integers("strides", 1, 1, 1);
    int[] dilations = call.integers("dilations", 1, 1, 1);
    int[] pads = call.integers("pads", 0, 0, 0, 0, 0, 0);
    if (!Arrays.equals(pads, 0, 3, pads, 3, 6)) {
      throw call.unsupported("different padding before and after volumes");
    }
    Frames frames = new Frames(strides[0], pads[0], dilations[0]);
    Sliding sliding =
        new Sliding(
            new Pair(strides[1], strides[2]),
            new Pair(pads[1], pads[2]),
            new Pair(dilations[1], dilations[2]));
    return Convolutions.conv3d(call.x(), weight, bias, frames, sliding, groups);
  }

  /// Returns the number of axes after the batch and the channels.
  private static int axes(Call call) {
    int axes = call.x().shape().rank() - 2;
    if (axes != 1 && axes != 2) {
      throw call.unsupported("an input of " + call.x().shape());
    }
    return axes;
  }

  /// Returns sequences as images with one row.
  private static Tensor images(Tensor x) {
    return x.shape().rank() == 3 ? x.unsqueeze(2) : x;
  }

  private static Tensor restored(Tensor images, int axes) {
    return axes == 1 ? images.squeeze(2) : images;
  }

  private static Tensor convTranspose(Call call) {
    int axes = axes(call);
    Tensor images = images(call.x());
    Tensor filters = images(call.y());
    if (call.has("output_shape") || !call.text("auto_pad", "NOTSET").equals("NOTSET")) {
      throw call.unsupported("output_shape or auto_pad");
    }
    Windows windows = windows(call, axes, images, filters.shape());
    int[] more = call.integers("output_padding", new int[axes]);
    Pair padding = new Pair(axes == 1 ? 0 : more[0], more[axes - 1]);
    if (!windows.isEven()) {
      throw call.unsupported("different padding before and after images");
    }
    int groups = call.integer("group", 1);
    Sliding sliding = windows.sliding(false);
    Tensor bias = call.optional(2);
    return restored(
        Convolutions.convTranspose2d(images, filters, bias, sliding, padding, groups), axes);
  }

  private static void normalizations(Table table) {
    table.learned("BatchNormalization", Networks::batchNorm);
    table.learned("LayerNormalization", Networks::layerNorm);
    table.learned("GroupNormalization", Networks::groupNorm);
    table.learned("InstanceNormalization", Networks::instanceNorm);
    table.add("LpNormalization", Networks::lpNorm);
  }

  /// In training mode, normalizes with the statistics of the batch and updates the running ones, as
  /// the layer [dev.tensorbus.nn.normalization.BatchNorm] does. A frozen weight means evaluation
  /// mode, as in Keras, so that the features of a frozen model stay the same.
  private static Tensor batchNorm(Call call) {
    double epsilon = call.real("epsilon", 1e-5);
    Tensor x = call.x();
    Tensor mean = call.input(3);
    Tensor variance = call.input(4);
    if (call.random() == null || !call.y().requiresGrad()) {
      return Normalizations.batchNorm(
          x, mean.detach(), variance.detach(), call.y(), call.input(2), epsilon);
    }
    Normalizations.Batch batch = Normalizations.batchNorm(x, call.y(), call.input(2), epsilon);
    double kept = call.real("momentum", 0.9);
    int count = x.shape().elements() / x.shape().size(1);
    move(mean, kept, batch.mean());
    move(variance, kept, batch.variance().scale(count / (count - 1.0)));
    return batch.values();
  }

  private static void move(Tensor running, double kept, Tensor batch) {
    running.replace(old -> NoGrad.call(() -> old.scale(kept).add(batch.scale(1 - kept))));
  }

  private static Tensor layerNorm(Call call) {
    Tensor weight = call.y();
    Shape shape = call.x().shape();
    int axis = shape.axis("LayerNormalization", call.integer("axis", -1));
    int[] last = Arrays.copyOfRange(shape.toArray(), axis, shape.rank());
    Tensor bias = call.has(2) ? call.input(2) : Tensor.full(weight.shape(), weight.dtype(), 0);
    return Normalizations.layerNorm(
        call.x(), weight.reshape(last), bias.reshape(last), call.real("epsilon", 1e-5));
  }

  /// Until operator set 20, weight and bias have a value for each group.
  private static Tensor groupNorm(Call call) {
    int groups = call.integer("num_groups", 1);
    int channels = call.x().shape().size(1);
    Tensor weight = perChannel(call.y(), channels);
    Tensor bias = perChannel(call.input(2), channels);
    return Normalizations.groupNorm(call.x(), groups, weight, bias, call.real("epsilon", 1e-5));
  }

  private static Tensor perChannel(Tensor values, int channels) {
    int groups = values.shape().elements();
    return values.reshape(groups, 1).expand(groups, channels / groups).reshape(channels);
  }

  private static Tensor instanceNorm(Call call) {
    int channels = call.x().shape().size(1);
    return Normalizations.groupNorm(
        call.x(), channels, call.y(), call.input(2), call.real("epsilon", 1e-5));
  }

  private static Tensor lpNorm(Call call) {
    int axis = call.integer("axis", -1);
    return call.x().div(call.x().vectorNorm(call.integer("p", 2), axis).unsqueeze(axis));
  }

  private static void poolings(Table table) {
    table.add("MaxPool", Networks::maxPool);
    table.add("AveragePool", Networks::averagePool);
    table.add("GlobalMaxPool", call -> global(call.x(), Tensor::max));
    table.add("GlobalAveragePool", call -> global(call.x(), Tensor::mean));
  }

  @FunctionalInterface
  private interface Pooling {
    Tensor apply(Tensor x, int... axes);
  }

  private static Tensor global(Tensor x, Pooling pooling) {
    int[] axes = IntStream.range(2, x.shape().rank()).toArray();
    int[] sizes = x.shape().toArray();
    Arrays.fill(sizes, 2, sizes.length, 1);
    return pooling.apply(x, axes).reshape(sizes);
  }

  private static Tensor maxPool(Call call) {
    int axes = axes(call);
    Tensor images = images(call.x());
    Windows windows = pooling(call, axes, images);
    boolean isPlain = windows.isEven() && isHalf(windows);
    Tensor padded = isPlain ? images : windows.padded(images, Double.NEGATIVE_INFINITY);
    Sliding sliding = windows.sliding(!isPlain);
    return restored(Poolings.maxPool2d(padded, windows.kernel(), sliding), axes);
  }

  private static Windows pooling(Call call, int axes, Tensor images) {
    Windows windows = Windows.of(call, axes, images, call.integers("kernel_shape"));
    return call.flag("ceil_mode", false) ? windows.withCeiling(images.shape()) : windows;
  }

  /// Returns whether the padding is at most half of a window, which is what our pooling accepts.
  private static boolean isHalf(Windows windows) {
    return 2 * windows.before().rows() <= windows.kernel().rows()
        && 2 * windows.before().columns() <= windows.kernel().columns();
  }

  /// A mean is divided by the part of its window that counts: the image, with its padding if
  /// `count_include_pad` is set, but not what `ceil_mode` adds.
  private static Tensor averagePool(Call call) {
    int axes = axes(call);
    Tensor images = images(call.x());
    Windows windows = Windows.of(call, axes, images, call.integers("kernel_shape"));
    Windows all = pooling(call, axes, images);
    boolean countsPadding = call.flag("count_include_pad", false);
    boolean isWhole = countsPadding ? all.equals(windows) : !all.isPadded();
    if (isWhole) {
      return restored(means(images, all), axes);
    }
    Shape one = Shape.of(1, 1, images.shape().size(2), images.shape().size(3));
    Tensor counted = Tensor.full(one, images.dtype(), 1);
    Tensor parts =
        countsPadding
            ? means(windows.padded(counted, 1), all.without(windows))
            : means(counted, all);
    return restored(means(images, all).div(parts), axes);
  }

  private static Tensor means(Tensor images, Windows windows) {
    boolean isPlain = windows.isEven() && isHalf(windows);
    Tensor padded = isPlain ? images : windows.padded(images, 0);
    return Poolings.avgPool2d(padded, windows.kernel(), windows.sliding(!isPlain));
  }

  private static Tensor resize(Call call) {
    Tensor x = call.x();
    int rank = x.shape().rank();
    int[] sizes = call.has(3) ? call.ints(3) : scaled(call);
    if (rank != 4 || sizes[0] != x.shape().size(0) || sizes[1] != x.shape().size(1)) {
      throw call.unsupported("resizing of anything but the rows and columns of images");
    }
    Call.requireSizes(sizes);
    Pair size = new Pair(sizes[2], sizes[3]);
    String place = call.text("coordinate_transformation_mode", "half_pixel");
    String kind = call.text("mode", "nearest") + " " + place;
    return switch (kind) {
      case "nearest asymmetric" -> Interpolations.nearest(x, size);
      case "linear half_pixel", "linear pytorch_half_pixel" ->
          Interpolations.bilinear(x, size, false);
      case "linear align_corners" -> Interpolations.bilinear(x, size, true);
      default -> throw call.unsupported("mode " + kind);
    };
  }

  private static int[] scaled(Call call) {
    float[] scales = call.input(2).detach().values();
    int[] sizes = call.x().shape().toArray();
    for (int axis = 0; axis < sizes.length; axis++) {
      sizes[axis] = (int) (sizes[axis] * scales[axis]);
    }
    return sizes;
  }

  private static List<Tensor> dropout(Call call) {
    Tensor x = call.x();
    float probability = (float) call.number(1, 0.5);
    return List.of(call.random() == null ? x : x.dropout(probability, call.random()));
  }

  private static Tensor requireMean(Call call) {
    boolean isMean = call.text("reduction", "mean").equals("mean") && !call.has("ignore_index");
    if (!isMean || call.inputs().size() > 2 || call.x().shape().rank() != 2) {
      throw call.unsupported("anything but the mean of rows of scores");
    }
    return call.x();
  }
}
