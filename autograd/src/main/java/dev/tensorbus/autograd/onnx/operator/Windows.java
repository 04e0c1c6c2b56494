// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.operator;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Sliding;
import dev.tensorbus.autograd.Sliding.Pair;
import dev.tensorbus.autograd.Tensor;

/// How the windows of a convolution or a pooling slide over images, as the attributes state it.
/// Sequences are images with one row.
record Windows(Along rows, Along columns) {
  /// How windows slide along one axis.
  ///
  /// @param before the padding at the start of the axis
  /// @param after the padding at the end of the axis
  record Along(int kernel, int stride, int dilation, int before, int after) {
    private static final Along ONE_ROW = new Along(1, 1, 1, 0, 0);

    /// A larger stride than any model has. The memory of a convolution grows with the stride.
    private static final int LONGEST = 1 << 10;

    Along {
      if (stride > LONGEST) {
        throw new IllegalArgumentException("a stride of " + stride + " is not supported");
      }
    }

    /// @param axis the number of the axis among those over which windows slide
    static Along of(NodeCall call, int axes, int axis, int kernel) {
      int[] ones = axes == 1 ? new int[] {1} : new int[] {1, 1};
      int[] pads = call.integers("pads", new int[2 * axes]);
      return new Along(
          kernel,
          call.integers("strides", ones)[axis],
          call.integers("dilations", ones)[axis],
          pads[axis],
          pads[axis + axes]);
    }

    private int reach() {
      return (kernel - 1) * dilation + 1;
    }

    /// Returns a copy padded such that there is a window for each stride.
    Along same(int size, boolean isMoreAfter) {
      int windows = Math.ceilDiv(size, stride);
      int missing = Math.max(0, (windows - 1) * stride + reach() - size);
      int less = missing / 2;
      int more = missing - less;
      return new Along(
          kernel, stride, dilation, isMoreAfter ? less : more, isMoreAfter ? more : less);
    }

    /// Returns a copy with more padding at the end if the last window would otherwise be cut off.
    /// A window must begin within the image or the padding before it.
    Along withCeiling(int size) {
      int free = size + before + after - reach();
      int last = Math.ceilDiv(free, stride) * stride;
      int cut = last < size + before ? last - free : 0;
      return new Along(kernel, stride, dilation, before, after + cut);
    }

    Along without(Along other) {
      return new Along(kernel, stride, dilation, before - other.before, after - other.after);
    }
  }

  /// Returns the windows over images `[n, c, h, w]`.
  ///
  /// @param axes the number of axes over which windows slide: 1 or 2
  /// @param kernel the size of the window on each of these axes
  static Windows of(NodeCall call, int axes, Tensor images, int... kernel) {
    Along columns = Along.of(call, axes, axes - 1, kernel[axes - 1]);
    Along rows = axes == 1 ? Along.ONE_ROW : Along.of(call, axes, 0, kernel[0]);
    String auto = call.text("auto_pad", "NOTSET");
    Windows given = new Windows(rows, columns);
    Windows windows =
        switch (auto) {
          case "NOTSET" -> given;
          case "VALID" -> given.without(given);
          case "SAME_UPPER", "SAME_LOWER" -> given.same(images.shape(), auto.equals("SAME_UPPER"));
          default -> throw call.unsupported("auto_pad " + auto);
        };
    windows.requireSizes(images.shape());
    return windows;
  }

  private Windows same(Shape images, boolean isMoreAfter) {
    return new Windows(
        rows.same(images.size(2), isMoreAfter), columns.same(images.size(3), isMoreAfter));
  }

  private void requireSizes(Shape images) {
    NodeCall.requireSizes(
        images.size(0),
        images.size(1),
        Math.addExact(images.size(2), Math.addExact(rows.before, rows.after)),
        Math.addExact(images.size(3), Math.addExact(columns.before, columns.after)));
  }

  /// Returns a copy with more padding at the end, so that no window is cut off.
  Windows withCeiling(Shape images) {
    return new Windows(rows.withCeiling(images.size(2)), columns.withCeiling(images.size(3)));
  }

  /// Returns a copy with only the padding that other windows do not have.
  Windows without(Windows other) {
    return new Windows(rows.without(other.rows), columns.without(other.columns));
  }

  Pair kernel() {
    return new Pair(rows.kernel, columns.kernel);
  }

  boolean isPadded() {
    return rows.before + rows.after + columns.before + columns.after > 0;
  }

  /// Returns whether the padding is the same at both ends of each axis.
  boolean isEven() {
    return rows.before == rows.after && columns.before == columns.after;
  }

  /// Returns whether the padding is at most half of a window, which is what our pooling accepts.
  boolean isHalf() {
    return 2 * rows.before <= rows.kernel && 2 * columns.before <= columns.kernel;
  }

  /// Returns how the windows slide.
  ///
  /// @param isPadded whether the images already have the padding
  Sliding sliding(boolean isPadded) {
    Pair padding = isPadded ? Pair.of(0) : new Pair(rows.before, columns.before);
    return new Sliding(
        new Pair(rows.stride, columns.stride), padding, new Pair(rows.dilation, columns.dilation));
  }

  /// Returns the images with the padding.
  Tensor padded(Tensor images, double value) {
    return images
        .pad(2, rows.before, rows.after, value)
        .pad(3, columns.before, columns.after, value);
  }
}
