// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// How one call is made. Immutable; each `with` returns a changed copy.
///
/// @param timeout how long the call may take, or null for the worker's default
/// @param retryAfter after how long without an answer it is sent again, doubled each time, or
///     null for never; it still runs at most once, since the other worker answers a repeat from
///     memory
/// @param failsWhenBusy whether a worker that admits no more calls is an error at once; otherwise
///     the call waits, within its time, until there is room
/// @param goesOnBriefly whether what is composed on the result never waits
public record CallOptions(
    @Nullable Duration timeout,
    @Nullable Duration retryAfter,
    boolean failsWhenBusy,
    boolean goesOnBriefly) {
  /// The worker's time limit, sent once, waiting for room.
  public static final CallOptions DEFAULT = new CallOptions(null, null, false, false);

  /// For as long as both workers live.
  private static final Duration NO_LIMIT = Duration.ofDays(10_000);

  /// @throws IllegalArgumentException if a duration is not positive
  public CallOptions {
    requirePositive("timeout", timeout);
    requirePositive("retry interval", retryAfter);
  }

  private static void requirePositive(String name, @Nullable Duration duration) {
    if (duration != null && (duration.isNegative() || duration.isZero())) {
      throw new IllegalArgumentException(
          name
              + " "
              + duration
              + " must be more than zero; for no limit see CallOptions.withoutTimeout");
    }
  }

  /// The defaults with a time limit of its own, nanoseconds included.
  public static CallOptions timeout(Duration timeout) {
    return DEFAULT.withTimeout(timeout);
  }

  /// The same with another time limit.
  public CallOptions withTimeout(Duration limit) {
    return new CallOptions(limit, retryAfter, failsWhenBusy, goesOnBriefly);
  }

  /// The same for as long as the worker lives that the call goes to.
  public CallOptions withoutTimeout() {
    return withTimeout(NO_LIMIT);
  }

  /// The same, sent again after this long without an answer, then after twice as long, and so on.
  public CallOptions withRetry(Duration after) {
    return new CallOptions(timeout, after, failsWhenBusy, goesOnBriefly);
  }

  /// The same, failing at once where it would have to wait for room.
  public CallOptions failingWhenBusy() {
    return new CallOptions(timeout, retryAfter, true, goesOnBriefly);
  }

  /// The same, saying that what is composed on the result takes microseconds and never waits: it
  /// may run on the event loop that takes the answer, and no thread is woken for it. The answer's
  /// counterpart of [Remote#brief].
  public CallOptions goingOnBriefly() {
    return new CallOptions(timeout, retryAfter, failsWhenBusy, true);
  }
}
