// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.attention;

/// The sizes of attention: queries are `[batch, targets, heads, size]`, keys `[batch, sources,
/// heads, size]`, values `[batch, sources, heads, valueSize]`, results `[batch, targets, heads,
/// valueSize]`. So heads lie as a linear layer leaves them, and nothing is copied to part them. A
/// head of an example is an *item*: number `example * heads + head`.
///
/// @param scale by which the product of a query and a key is multiplied
public record AttentionShape(
    int batch, int heads, int targets, int sources, int size, int valueSize, double scale) {
  /// Multiplications that are worth waking a thread.
  private static final int SMALLEST_SHARE = 1 << 18;

  /// The number of items.
  public int items() {
    return batch * heads;
  }

  /// From a query to the next one of its item, and from a key to the next.
  public int row() {
    return heads * size;
  }

  /// The same for values and results.
  public int valueRow() {
    return heads * valueSize;
  }

  /// Where a query of an item begins.
  public int query(int item, int target) {
    return start(item, targets, target, size);
  }

  /// Where a key of an item begins.
  public int key(int item, int source) {
    return start(item, sources, source, size);
  }

  /// Where a value of an item begins.
  public int value(int item, int source) {
    return start(item, sources, source, valueSize);
  }

  /// Where a result of an item begins.
  public int result(int item, int target) {
    return start(item, targets, target, valueSize);
  }

  /// The number of items that are worth waking a thread.
  public int smallestShare() {
    long each = (long) targets * sources * (size + valueSize);
    return (int) Math.max(1, SMALLEST_SHARE / Math.max(1, each));
  }

  private int start(int item, int places, int place, int each) {
    return ((item / heads * places + place) * heads + item % heads) * each;
  }

  /// The first of the numbers by which dropout knows the weights of a source: that of target 0. The
  /// targets' numbers follow one another.
  public long weight(int item, int source) {
    return ((long) item * sources + source) * targets;
  }
}
