// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.shape;

/// How a filter, or the window of a pooling, goes along one axis of an image.
///
/// @param size values of the image on this axis
/// @param kernel values that meet at once
/// @param stride steps from one result to the next
/// @param padding values imagined before the first and after the last
/// @param dilation steps from one value of the window to the next
public record Window(int size, int kernel, int stride, int padding, int dilation) {
  /// A window that goes step by step and stays inside.
  public static Window of(int size, int kernel) {
    return new Window(size, kernel, 1, 0, 1);
  }

  /// Whether it takes so many neighbours at every step: no stride, no dilation.
  public boolean isPlain(int taps) {
    return kernel == taps && stride == 1 && dilation == 1;
  }

  /// The number of results.
  public int outputs() {
    return Math.max(0, Math.floorDiv(padded() - reach(), stride) + 1);
  }

  /// The image's values and those imagined on both sides.
  public int padded() {
    return size + 2 * padding;
  }

  /// Values at the end that no window reaches since a whole stride does not fit any more.
  public int rest() {
    return padded() - reach() - (outputs() - 1) * stride;
  }

  /// From the first to the last value of a window, both included.
  public int reach() {
    return (kernel - 1) * dilation + 1;
  }

  /// Where in the image `tap` of a result's window lies; outside of it where [#contains] says no.
  public int position(int output, int tap) {
    return output * stride + tap * dilation - padding;
  }

  public boolean contains(int position) {
    return 0 <= position && position < size;
  }
}
