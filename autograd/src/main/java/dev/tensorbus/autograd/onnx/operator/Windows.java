// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.operator;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Sliding;
import dev.tensorbus.autograd.Sliding.Pair;
import dev.tensorbus.autograd.Tensor;
import java.util.Arrays;

/// How the windows of a convolution or a pooling slide, as its attributes state it. Sequences are
/// images with one row.
///
/// @param kernel the size of the window
/// @param before the padding at the start of rows and columns
/// @param after the padding at the end of rows and columns
record Windows(Pair kernel, Pair stride, Pair dilation, Pair before, Pair after) {
  /// Returns the windows over an image `[n, c, h, w]`.
  ///
  /// @param axes the number of axes over which windows slide: 1 or 2
  static Windows of(Call call, int axes, Tensor images, int... kernel) {
    Pair size = pair(axes, 1, kernel);
    Pair stride = pair(axes, 1, call.integers("strides"));
    Pair dilation = pair(axes, 1, call.integers("dilations"));
    int[] pads = call.integers("pads", new int[2 * axes]);
    Pair before = pair(axes, 0, Arrays.copyOf(pads, axes));
    Pair after = pair(axes, 0, Arrays.copyOfRange(pads, axes, 2 * axes));
    String auto = call.text("auto_pad", "NOTSET");
    Windows given = new Windows(size, stride, dilation, before, after);
    return switch (auto) {
      case "NOTSET", "VALID" -> given;
      case "SAME_UPPER", "SAME_LOWER" -> given.same(images.shape(), auto.equals("SAME_UPPER"));
      default -> throw call.unsupported("auto_pad " + auto);
    };
  }

  private static Pair pair(int axes, int otherwise, int... sizes) {
    int columns = sizes.length == 0 ? otherwise : sizes[sizes.length - 1];
    return new Pair(axes == 1 || sizes.length == 0 ? otherwise : sizes[0], columns);
  }

  /// Returns a copy padded such that there is a window for each stride.
  private Windows same(Shape images, boolean isMoreAfter) {
    int rows = missing(images.size(2), kernel.rows(), stride.rows(), dilation.rows());
    int columns = missing(images.size(3), kernel.columns(), stride.columns(), dilation.columns());
    Pair less = new Pair(rows / 2, columns / 2);
    Pair more = new Pair(rows - rows / 2, columns - columns / 2);
    return new Windows(
        kernel, stride, dilation, isMoreAfter ? less : more, isMoreAfter ? more : less);
  }

  private static int missing(int size, int kernel, int stride, int dilation) {
    int windows = Math.ceilDiv(size, stride);
    return Math.max(0, (windows - 1) * stride + reach(kernel, dilation) - size);
  }

  private static int reach(int kernel, int dilation) {
    return (kernel - 1) * dilation + 1;
  }

  /// Returns a copy with more padding at the end, if the last window would otherwise be cut off. A
  /// window must begin within the image or the padding before it.
  Windows withCeiling(Shape images) {
    return new Windows(
        kernel,
        stride,
        dilation,
        before,
        new Pair(
            after.rows()
                + cut(
                    images.size(2),
                    before.rows(),
                    after.rows(),
                    kernel.rows(),
                    stride.rows(),
                    dilation.rows()),
            after.columns()
                + cut(
                    images.size(3),
                    before.columns(),
                    after.columns(),
                    kernel.columns(),
                    stride.columns(),
                    dilation.columns())));
  }

  private static int cut(int size, int before, int after, int kernel, int stride, int dilation) {
    int free = size + before + after - reach(kernel, dilation);
    int windows = Math.ceilDiv(free, stride);
    boolean isInside = windows * stride < size + before;
    return isInside ? windows * stride - free : 0;
  }

  /// Returns a copy with only the padding that other windows do not have.
  Windows without(Windows other) {
    return new Windows(
        kernel, stride, dilation, less(before, other.before), less(after, other.after));
  }

  private static Pair less(Pair a, Pair b) {
    return new Pair(a.rows() - b.rows(), a.columns() - b.columns());
  }

  boolean isPadded() {
    return !before.equals(Pair.of(0)) || !after.equals(Pair.of(0));
  }

  boolean isEven() {
    return before.equals(after);
  }

  /// Returns how the windows slide over images that have this padding.
  Sliding sliding(boolean isPadded) {
    return new Sliding(stride, isPadded ? Pair.of(0) : before, dilation);
  }

  /// Returns the images with the padding.
  Tensor padded(Tensor images, double value) {
    Tensor higher =
        before.rows() + after.rows() == 0
            ? images
            : images.pad(2, before.rows(), after.rows(), value);
    return before.columns() + after.columns() == 0
        ? higher
        : higher.pad(3, before.columns(), after.columns(), value);
  }
}
