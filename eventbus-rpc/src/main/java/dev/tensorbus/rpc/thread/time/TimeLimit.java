// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.time;

import java.time.Duration;

/// Validates timeouts given by users.
public final class TimeLimit {
  /// Practically no limit: longer than any worker lives. A much longer time, in nanoseconds, would
  /// not fit into a `long`.
  public static final Duration NONE = Duration.ofDays(10_000);

  private TimeLimit() {}

  /// Returns the given timeout, or [#NONE] if it is longer than that.
  ///
  /// @param name the name of the timeout, for the error message
  /// @throws IllegalArgumentException if it is not positive
  public static Duration of(String name, Duration given) {
    if (!given.isPositive()) {
      throw new IllegalArgumentException(
          name + " " + given + " must be positive; for no limit use 10,000 days");
    }
    return given.compareTo(NONE) < 0 ? given : NONE;
  }
}
