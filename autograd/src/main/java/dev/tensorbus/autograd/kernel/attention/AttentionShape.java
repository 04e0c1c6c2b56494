// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.attention;

/// The sizes of attention: queries are `[batch, targets, heads, size]`, keys `[batch, sources,
/// heads, size]`, values `[batch, sources, heads, valueSize]`, results `[batch, targets, heads,
/// valueSize]`. This is the layout that a linear layer produces, so splitting the heads copies
/// nothing. Each head of each example is an *item*, with the index `example * heads + head`.
///
/// @param scale the factor by which the dot product of a query and a key is multiplied
public record AttentionShape(
    int batch, int heads, int targets, int sources, int size, int valueSize, double scale) {
  /// The number of multiplications that makes waking a thread worthwhile.
  private static final int SMALLEST_SHARE = 1 << 18;

  /// Returns the number of items.
  public int items() {
    return batch * heads;
  }

  /// Returns the stride between consecutive queries, or consecutive keys, of an item.
  public int row() {
    return heads * size;
  }

  /// Returns the stride between consecutive values, or consecutive results, of an item.
  public int valueRow() {
    return heads * valueSize;
  }

  /// Returns the offset of a query of an item.
  public int query(int item, int target) {
    return start(item, targets, target, size);
  }

  /// Returns the offset of a key of an item.
  public int key(int item, int source) {
    return start(item, sources, source, size);
  }

  /// Returns the offset of a value of an item.
  public int value(int item, int source) {
    return start(item, sources, source, valueSize);
  }

  /// Returns the offset of a result of an item.
  public int result(int item, int target) {
    return start(item, targets, target, valueSize);
  }

  /// Returns the smallest number of items that makes waking a thread worthwhile.
  public int smallestShare() {
    long each = (long) targets * sources * (size + valueSize);
    return (int) Math.max(1, SMALLEST_SHARE / Math.max(1, each));
  }

  private int start(int item, int places, int place, int each) {
    return ((item / heads * places + place) * heads + item % heads) * each;
  }

  /// Returns the [DropoutFactors] index of an item's weight for the given source and target 0. The
  /// indices of the other targets follow consecutively.
  public long weight(int item, int source) {
    return ((long) item * sources + source) * targets;
  }
}
