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

/// How long a caller waits.
///
/// @param limit in all
/// @param end in the time of [System#nanoTime()]
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

  /// Longer than anybody waits, and within what a clock of nanoseconds can count.
  private static final Duration LONGEST = Duration.ofDays(10_000);

  /// Of gRPC's header `grpc-timeout`; null if there is none.
  ///
  /// @throws GrpcStatusException if it is not a time
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

  /// The time that is left; a nanosecond when it is over.
  public Duration left() {
    return Duration.ofNanos(Math.max(1, end - System.nanoTime()));
  }
}
