// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.shape;

import java.util.Arrays;
import java.util.stream.IntStream;

/// The windows of a pooling along one axis.
///
/// @param size values on this axis
/// @param places for each window the places that it covers, in order and without padding
/// @param divisors for each window the number of values that its mean counts
public record PoolingWindows(int size, int[][] places, int[] divisors) {
  /// Windows that all have the same size. Means count padding as zeros.
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

  /// As many windows as wanted, which cover all places and are about equal in size.
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

  /// How many windows there are.
  public int count() {
    return places.length;
  }

  /// Whether a window covers no place.
  public boolean hasEmpty() {
    return Arrays.stream(places).anyMatch(window -> window.length == 0);
  }

  /// The places of the largest window.
  public int taps() {
    return Arrays.stream(places).mapToInt(window -> window.length).max().orElse(0);
  }

  /// How far it is at most from the first place of a window to the last that it or one before it
  /// covers, both included.
  public int reach() {
    int furthest = 0;
    int reach = 0;
    for (int[] window : places) {
      furthest = Math.max(furthest, window[window.length - 1]);
      reach = Math.max(reach, furthest - window[0] + 1);
    }
    return reach;
  }

  /// The first place of each window, then the second of each, and so on. A window that has fewer
  /// repeats its first.
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
