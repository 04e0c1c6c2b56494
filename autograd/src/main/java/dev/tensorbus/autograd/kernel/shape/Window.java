// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.shape;

/// How a filter, or a pooling window, slides along one axis of an image.
///
/// @param size the number of values of the image on this axis
/// @param kernel the number of values of the window
/// @param stride the step from one result to the next
/// @param padding the number of padding values on each side
/// @param dilation the step from one value of the window to the next
public record Window(int size, int kernel, int stride, int padding, int dilation) {
  /// Returns a window with stride 1, no padding and no dilation.
  public static Window of(int size, int kernel) {
    return new Window(size, kernel, 1, 0, 1);
  }

  /// Returns whether the window has the given number of values, stride 1 and no dilation.
  public boolean isPlain(int taps) {
    return kernel == taps && stride == 1 && dilation == 1;
  }

  /// Returns the number of results.
  public int outputs() {
    return Math.max(0, Math.floorDiv(padded() - reach(), stride) + 1);
  }

  /// Returns the number of values including the padding on both sides.
  public int padded() {
    return size + 2 * padding;
  }

  /// Returns the number of values at the end of the padded axis that no window covers, because
  /// another stride does not fit.
  public int rest() {
    return padded() - reach() - (outputs() - 1) * stride;
  }

  /// Returns the extent of a window in the image, from its first to its last value (inclusive).
  public int reach() {
    return (kernel - 1) * dilation + 1;
  }

  /// Returns the index that a tap of a result's window has in the image. It is in the padding if
  /// [#contains] returns false for it.
  public int position(int output, int tap) {
    return output * stride + tap * dilation - padding;
  }

  public boolean contains(int position) {
    return 0 <= position && position < size;
  }
}
