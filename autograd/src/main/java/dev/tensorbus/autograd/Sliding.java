// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

/// Describes how a window slides over the rows and columns of images, for example
/// `Sliding.ONE.withStride(2)`. Operations on sequences, which have one axis, use the values for
/// columns.
///
/// @param stride the step of the window from one result to the next
/// @param padding the number of padding values before the first and after the last value
/// @param dilation the step from one value of the window to the next
public record Sliding(Pair stride, Pair padding, Pair dilation) {
  /// Stride 1, no padding, no dilation.
  public static final Sliding ONE = new Sliding(Pair.of(1), Pair.of(0), Pair.of(1));

  /// @throws IllegalArgumentException if a stride or dilation is not positive or a padding is
  ///     negative
  public Sliding {
    if (stride.least() < 1 || dilation.least() < 1 || padding.least() < 0) {
      throw new IllegalArgumentException(
          "sliding: stride %s, padding %s, dilation %s; expected at least 1, 0, 1"
              .formatted(stride, padding, dilation));
    }
  }

  /// A value for rows and a value for columns.
  public record Pair(int rows, int columns) {
    /// Returns a pair of equal values.
    public static Pair of(int both) {
      return new Pair(both, both);
    }

    private int least() {
      return Math.min(rows, columns);
    }

    @Override
    public String toString() {
      return "[" + rows + ", " + columns + "]";
    }
  }

  /// Returns a copy with the given stride on both axes.
  public Sliding withStride(int stride) {
    return withStride(Pair.of(stride));
  }

  /// Returns a copy with the given stride.
  public Sliding withStride(Pair stride) {
    return new Sliding(stride, padding, dilation);
  }

  /// Returns a copy with the given padding on both axes.
  public Sliding withPadding(int padding) {
    return withPadding(Pair.of(padding));
  }

  /// Returns a copy with the given padding.
  public Sliding withPadding(Pair padding) {
    return new Sliding(stride, padding, dilation);
  }

  /// Returns a copy with the given dilation on both axes.
  public Sliding withDilation(int dilation) {
    return withDilation(Pair.of(dilation));
  }

  /// Returns a copy with the given dilation.
  public Sliding withDilation(Pair dilation) {
    return new Sliding(stride, padding, dilation);
  }

  /// Returns a copy that slides over columns only, as for a sequence, which has one row.
  public Sliding alongColumns() {
    return new Sliding(
        new Pair(1, stride.columns), new Pair(0, padding.columns), new Pair(1, dilation.columns));
  }
}
