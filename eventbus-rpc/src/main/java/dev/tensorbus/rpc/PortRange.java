// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/// The ports on which a worker may listen, for a firewall that admits only these. The worker's
/// cluster node, event bus and tensor listener each take a free port of the range. Workers on one
/// host may share a range: ports already in use are skipped.
///
/// The first port is reserved for rank 0, to which the others connect.
///
/// @param first the first port, at least 1, or 0 for [#ANY]
/// @param last the last port, at most 65535
public record PortRange(int first, int last) {
  /// Ports chosen by the operating system.
  public static final PortRange ANY = new PortRange(0, 0);

  private static final int MOST = 65_535;

  /// The minimum size: the first port, reserved for rank 0, and three ports for a worker of another
  /// rank.
  private static final int FEWEST = 4;

  /// @throws IllegalArgumentException if these are not valid ports, or the range is too small for a
  ///     worker
  public PortRange {
    boolean isAny = first == 0 && last == 0;
    if (!isAny && (first < 1 || last > MOST || last - first + 1 < FEWEST)) {
      throw new IllegalArgumentException(
          "ports "
              + first
              + "-"
              + last
              + " are not a range of at least "
              + FEWEST
              + " from 1 to "
              + MOST
              + "; each worker of a host needs 3");
    }
  }

  /// Parses a range such as `29500-29520`, both ends inclusive.
  ///
  /// @throws IllegalArgumentException if the string is not such a range
  public static PortRange parse(String text) {
    String[] ends = text.strip().split("-", -1);
    if (ends.length == 2) {
      try {
        return new PortRange(Integer.parseInt(ends[0]), Integer.parseInt(ends[1]));
      } catch (NumberFormatException e) {
        // reported below
      }
    }
    throw new IllegalArgumentException(
        "ports \""
            + text
            + "\" are not a range; expected the first and the last, such as 29500-29520");
  }

  /// Returns whether the operating system chooses the ports.
  public boolean isAny() {
    return first == 0;
  }

  /// Returns whether `port` is in the range but is not its first port.
  public boolean isBehindTheFirst(int port) {
    return !isAny() && port > first && port <= last;
  }

  /// Returns the ports to try, in order: all ports of the range but the first, starting at a random
  /// one, so that workers that start together rarely try the same port. For [#ANY], returns just 0,
  /// which lets the operating system choose.
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
