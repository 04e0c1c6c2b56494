// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.time;

import java.time.Duration;

/// Validates timeouts that users give.
public final class TimeLimit {
  /// Practically no limit: as long as the workers live. Many more nanoseconds would not fit into a
  /// long.
  public static final Duration NONE = Duration.ofDays(10_000);

  private TimeLimit() {}

  /// Returns a timeout that a user gave. One above [#NONE] becomes [#NONE].
  ///
  /// @param name what it limits, for the message
  /// @throws IllegalArgumentException if it is not positive
  public static Duration of(String name, Duration given) {
    if (!given.isPositive()) {
      throw new IllegalArgumentException(
          name + " " + given + " must be more than zero; for no limit give 10,000 days");
    }
    return given.compareTo(NONE) < 0 ? given : NONE;
  }
}
