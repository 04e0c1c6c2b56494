// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.server;

import dev.tensorbus.grpc.gateway.wire.GrpcStatusException;
import dev.tensorbus.grpc.gateway.wire.Reason;
import dev.tensorbus.rpc.thread.time.TimeLimit;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Parses gRPC's `grpc-timeout` header, which says how long the caller waits.
public final class GrpcTimeout {
  private static final Pattern TIMEOUT = Pattern.compile("([0-9]{1,8})([HMSmun])");

  private static final Map<String, ChronoUnit> UNITS =
      Map.of(
          "H", ChronoUnit.HOURS,
          "M", ChronoUnit.MINUTES,
          "S", ChronoUnit.SECONDS,
          "m", ChronoUnit.MILLIS,
          "u", ChronoUnit.MICROS,
          "n", ChronoUnit.NANOS);

  private GrpcTimeout() {}

  /// Returns the timeout in the header, capped at [TimeLimit#NONE] (practically unlimited), or null
  /// if there is no header.
  ///
  /// @throws GrpcStatusException if the header is not a valid timeout
  public static @Nullable Duration of(@Nullable String timeout) {
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
    return limit.compareTo(TimeLimit.NONE) < 0 ? limit : TimeLimit.NONE;
  }
}
