// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

/// How a window slides over images, by axis: rows first. `Sliding.ONE.withStride(2)`. Where there
/// is one axis only, as in sequences, the columns count.
///
/// @param stride steps from one result to the next
/// @param padding values imagined before the first and after the last
/// @param dilation steps from one value of the window to the next
public record Sliding(Pair stride, Pair padding, Pair dilation) {
  /// Step by step, inside the image, without gaps.
  public static final Sliding ONE = new Sliding(Pair.of(1), Pair.of(0), Pair.of(1));

  /// @throws IllegalArgumentException if a step is not positive or a padding is negative
  public Sliding {
    if (stride.least() < 1 || dilation.least() < 1 || padding.least() < 0) {
      throw new IllegalArgumentException(
          "sliding: stride %s, padding %s, dilation %s; expected at least 1, 0, 1"
              .formatted(stride, padding, dilation));
    }
  }

  /// One number for rows, one for columns.
  public record Pair(int rows, int columns) {
    /// The same for both.
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

  /// The same with this stride on both axes.
  public Sliding withStride(int stride) {
    return withStride(Pair.of(stride));
  }

  /// The same with this stride.
  public Sliding withStride(Pair stride) {
    return new Sliding(stride, padding, dilation);
  }

  /// The same with this padding on both axes.
  public Sliding withPadding(int padding) {
    return withPadding(Pair.of(padding));
  }

  /// The same with this padding.
  public Sliding withPadding(Pair padding) {
    return new Sliding(stride, padding, dilation);
  }

  /// The same with this dilation on both axes.
  public Sliding withDilation(int dilation) {
    return withDilation(Pair.of(dilation));
  }

  /// The same with this dilation.
  public Sliding withDilation(Pair dilation) {
    return new Sliding(stride, padding, dilation);
  }

  /// The same along columns, with one row: how a window slides over a sequence.
  public Sliding alongColumns() {
    return new Sliding(
        new Pair(1, stride.columns), new Pair(0, padding.columns), new Pair(1, dilation.columns));
  }
}
