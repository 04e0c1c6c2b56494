// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.server;

import dev.tensorbus.grpc.gateway.wire.GrpcStatusException;
import dev.tensorbus.grpc.gateway.wire.Reason;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The deadline of a call.
///
/// @param limit total time of the call
/// @param end end of the call, as [System#nanoTime()]
public record Deadline(Duration limit, long end) {
  private static final Pattern TIMEOUT = Pattern.compile("([0-9]{1,8})([HMSmun])");

  private static final Map<String, ChronoUnit> UNITS =
      Map.of(
          "H", ChronoUnit.HOURS,
          "M", ChronoUnit.MINUTES,
          "S", ChronoUnit.SECONDS,
          "m", ChronoUnit.MILLIS,
          "u", ChronoUnit.MICROS,
          "n", ChronoUnit.NANOS);

  /// Longer than any caller waits, and within the range of a nanosecond clock.
  private static final Duration LONGEST = Duration.ofDays(10_000);

  /// Parses gRPC's header `grpc-timeout`. Returns null without one.
  ///
  /// @throws GrpcStatusException if it is not a valid timeout
  public static @Nullable Deadline of(@Nullable String timeout) {
    if (timeout == null) {
      return null;
    }
    Matcher parts = TIMEOUT.matcher(timeout);
    if (!parts.matches()) {
      throw new GrpcStatusException(
          Reason.BAD_MESSAGE,
          "grpc-timeout is \"%s\"; expected up to 8 digits and one of H, M, S, m, u, n"
              .formatted(timeout));
    }
    Duration limit = Duration.of(Long.parseLong(parts.group(1)), UNITS.get(parts.group(2)));
    Duration sane = limit.compareTo(LONGEST) < 0 ? limit : LONGEST;
    return new Deadline(sane, System.nanoTime() + sane.toNanos());
  }

  /// Returns the time left; one nanosecond after the deadline.
  public Duration left() {
    return Duration.ofNanos(Math.max(1, end - System.nanoTime()));
  }
}
