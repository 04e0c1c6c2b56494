// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.shape;

import java.util.Arrays;
import java.util.stream.IntStream;

/// The windows of a pooling operation along one axis.
///
/// @param size the number of values on this axis
/// @param places the indices that each window covers, in ascending order and without padding
/// @param divisors the number of values in the mean of each window, including padding if the mean
///     counts it
public record PoolingWindows(int size, int[][] places, int[] divisors) {
  /// Returns one window for each position of a sliding window. In the means, padding counts as
  /// zeros.
  public static PoolingWindows sliding(Window window) {
    int[][] places =
        IntStream.range(0, window.outputs())
            .mapToObj(
                output ->
                    IntStream.range(0, window.kernel())
                        .map(tap -> window.position(output, tap))
                        .filter(window::contains)
                        .toArray())
            .toArray(int[][]::new);
    int[] divisors = new int[places.length];
    Arrays.fill(divisors, window.kernel());
    return new PoolingWindows(window.size(), places, divisors);
  }

  /// Returns `wanted` windows of nearly equal size that cover all indices.
  public static PoolingWindows adaptive(int size, int wanted) {
    int[][] places =
        IntStream.range(0, wanted)
            .mapToObj(
                i ->
                    IntStream.range(
                            Math.floorDiv(i * size, wanted), Math.ceilDiv((i + 1) * size, wanted))
                        .toArray())
            .toArray(int[][]::new);
    int[] divisors = Arrays.stream(places).mapToInt(window -> window.length).toArray();
    return new PoolingWindows(size, places, divisors);
  }

  /// Returns the number of windows.
  public int count() {
    return places.length;
  }

  /// Returns whether any window is empty.
  public boolean hasEmpty() {
    return Arrays.stream(places).anyMatch(window -> window.length == 0);
  }

  /// Returns the size of the largest window.
  public int taps() {
    return Arrays.stream(places).mapToInt(window -> window.length).max().orElse(0);
  }

  /// Returns the largest span of any window, measured from its first index to the last index that
  /// it or an earlier window covers, both inclusive.
  public int reach() {
    int furthest = 0;
    int reach = 0;
    for (int[] window : places) {
      furthest = Math.max(furthest, window[window.length - 1]);
      reach = Math.max(reach, furthest - window[0] + 1);
    }
    return reach;
  }

  /// Returns the first index of every window, then the second index of every window, and so on. For
  /// a window with fewer indices, its first index is repeated.
  public int[] tapByTap() {
    int[] table = new int[taps() * count()];
    for (int window = 0; window < count(); window++) {
      for (int tap = 0; tap < taps(); tap++) {
        int[] covered = places[window];
        table[tap * count() + window] = covered[tap < covered.length ? tap : 0];
      }
    }
    return table;
  }
}
