// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.operator;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Sliding;
import dev.tensorbus.autograd.Sliding.Pair;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.functional.Convolutions;
import dev.tensorbus.nn.functional.Convolutions.Frames;
import dev.tensorbus.nn.functional.Interpolations;
import dev.tensorbus.nn.functional.Poolings;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Operators on images `[n, c, h, w]` and sequences `[n, c, steps]`.
final class ImageOperators {
  private ImageOperators() {}

  static void addTo(OperatorTable table) {
    table.learned("Conv", ImageOperators::conv);
    table.learned("ConvTranspose", ImageOperators::convTranspose);
    table.add("MaxPool", ImageOperators::maxPool);
    table.add("AveragePool", ImageOperators::averagePool);
    table.add("GlobalMaxPool", call -> global(call.x(), Tensor::max));
    table.add("GlobalAveragePool", call -> global(call.x(), Tensor::mean));
    table.add("Resize", ImageOperators::resize);
  }

  private static Tensor conv(NodeCall call) {
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

  private static Windows windows(NodeCall call, int axes, Tensor images, Shape filters) {
    int[] sizes = filters.toArray();
    return Windows.of(call, axes, images, Arrays.copyOfRange(sizes, 4 - axes, 4));
  }

  private static Tensor conv3d(NodeCall call, Tensor weight, @Nullable Tensor bias, int groups) {
    int[] strides = call.integers("strides", 1, 1, 1);
    int[] dilations = call.integers("dilations", 1, 1, 1);
    int[] pads = call.integers("pads", 0, 0, 0, 0, 0, 0);
    boolean isGiven = call.text("auto_pad", "NOTSET").equals("NOTSET");
    if (!isGiven || !Arrays.equals(pads, 0, 3, pads, 3, 6)) {
      throw call.unsupported("auto_pad, or different padding before and after volumes,");
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
  private static int axes(NodeCall call) {
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

  private static Tensor convTranspose(NodeCall call) {
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

  private static Tensor maxPool(NodeCall call) {
    int axes = axes(call);
    Tensor images = images(call.x());
    Windows windows = pooling(call, axes, images);
    boolean isPlain = windows.isEven() && windows.isHalf();
    Tensor padded = isPlain ? images : windows.padded(images, Double.NEGATIVE_INFINITY);
    Sliding sliding = windows.sliding(!isPlain);
    return restored(Poolings.maxPool2d(padded, windows.kernel(), sliding), axes);
  }

  private static Windows pooling(NodeCall call, int axes, Tensor images) {
    Windows windows = Windows.of(call, axes, images, call.integers("kernel_shape"));
    return call.flag("ceil_mode", false) ? windows.withCeiling(images.shape()) : windows;
  }

  /// A mean is divided by the part of its window that counts: the image, with its padding if
  /// `count_include_pad` is set, but not what `ceil_mode` adds.
  private static Tensor averagePool(NodeCall call) {
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
    boolean isPlain = windows.isEven() && windows.isHalf();
    Tensor padded = isPlain ? images : windows.padded(images, 0);
    return Poolings.avgPool2d(padded, windows.kernel(), windows.sliding(!isPlain));
  }

  private static Tensor resize(NodeCall call) {
    Tensor x = call.x();
    int rank = x.shape().rank();
    int[] sizes = call.has(3) ? call.ints(3) : scaled(call);
    if (rank != 4 || sizes[0] != x.shape().size(0) || sizes[1] != x.shape().size(1)) {
      throw call.unsupported("resizing of anything but the rows and columns of images");
    }
    NodeCall.requireSizes(sizes);
    Pair size = new Pair(sizes[2], sizes[3]);
    String mode = call.text("mode", "nearest");
    String kind = mode + " " + call.text("coordinate_transformation_mode", "half_pixel");
    boolean isFloor = call.text("nearest_mode", "round_prefer_floor").equals("floor");
    if (call.flag("antialias", false) || (mode.equals("nearest") && !isFloor)) {
      throw call.unsupported("antialias, or a nearest_mode other than floor,");
    }
    boolean isStretched = call.text("keep_aspect_ratio_policy", "stretch").equals("stretch");
    if (!isStretched || call.has("axes")) {
      throw call.unsupported("keep_aspect_ratio_policy or axes");
    }
    if (kind.equals("linear pytorch_half_pixel") && (sizes[2] == 1 || sizes[3] == 1)) {
      throw call.unsupported("pytorch_half_pixel with one row or one column");
    }
    return switch (kind) {
      case "nearest asymmetric" -> Interpolations.nearest(x, size);
      case "linear half_pixel", "linear pytorch_half_pixel" ->
          Interpolations.bilinear(x, size, false);
      case "linear align_corners" -> Interpolations.bilinear(x, size, true);
      default -> throw call.unsupported("mode " + kind);
    };
  }

  /// A scale must give a whole size: otherwise it differs from the ratio of the sizes, which our
  /// interpolations use.
  private static int[] scaled(NodeCall call) {
    float[] scales = call.input(2).detach().values();
    int[] sizes = call.x().shape().toArray();
    if (scales.length != sizes.length) {
      throw call.unsupported("a number of scales other than that of the axes");
    }
    for (int axis = 0; axis < sizes.length; axis++) {
      float size = sizes[axis] * scales[axis];
      if (size != (int) size) {
        throw call.unsupported(
            "a scale of %s, which makes %d values %s,".formatted(scales[axis], sizes[axis], size));
      }
      sizes[axis] = (int) size;
    }
    return sizes;
  }
}
