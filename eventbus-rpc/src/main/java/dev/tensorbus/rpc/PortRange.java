// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/// The ports that a worker may listen on, as a firewall lets them through. Its cluster node, its
/// event bus and its door for tensors take a free one each. Workers of one host may share a range:
/// a port that is taken is passed over.
///
/// The first port is kept for rank 0, which the others meet there.
///
/// @param first from 1, or 0 for [#ANY]
/// @param last up to 65535
public record PortRange(int first, int last) {
  /// Ports that the system chooses.
  public static final PortRange ANY = new PortRange(0, 0);

  private static final int MOST = 65_535;

  /// Rank 0's, and three for a worker of another rank.
  private static final int FEWEST = 4;

  /// @throws IllegalArgumentException if these are no ports, or too few for a worker
  public PortRange {
    boolean isAny = first == 0 && last == 0;
    if (!isAny && (first < 1 || last > MOST || last - first + 1 < FEWEST)) {
      throw new IllegalArgumentException(
          "ports "
              + first
              + "-"
              + last
              + " are no range of at least "
              + FEWEST
              + " from 1 to "
              + MOST
              + "; each worker of a host takes 3");
    }
  }

  /// The range that `29500-29520` means, both ends included.
  ///
  /// @throws IllegalArgumentException if the text is no such range
  public static PortRange parse(String text) {
    String[] ends = text.strip().split("-", -1);
    if (ends.length == 2) {
      try {
        return new PortRange(Integer.parseInt(ends[0]), Integer.parseInt(ends[1]));
      } catch (NumberFormatException e) {
        // said below
      }
    }
    throw new IllegalArgumentException(
        "ports \"" + text + "\" are no range; give the first and the last, such as 29500-29520");
  }

  /// Whether the system chooses.
  public boolean isAny() {
    return first == 0;
  }

  /// Whether a port other than the first is in the range.
  public boolean isBehindTheFirst(int port) {
    return !isAny() && port > first && port <= last;
  }

  /// The ports to try, in this order: all but the first of the range, from a random one on, so that
  /// workers that start together seldom try the same. For [#ANY] it is 0, by which the system
  /// chooses.
  public int[] candidates() {
    if (isAny()) {
      return new int[] {0};
    }
    int count = last - first;
    int start = ThreadLocalRandom.current().nextInt(count);
    return IntStream.range(0, count).map(i -> first + 1 + (start + i) % count).toArray();
  }

  @Override
  public String toString() {
    return isAny() ? "any" : first + "-" + last;
  }
}
