// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.time;

import java.time.Duration;

/// How long something may take, as users give it.
public final class TimeLimit {
  /// As long as the workers live; more nanoseconds would soon not fit a long.
  public static final Duration NONE = Duration.ofDays(10_000);

  private TimeLimit() {}

  /// A limit that a user gave. One above [#NONE] is none.
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
