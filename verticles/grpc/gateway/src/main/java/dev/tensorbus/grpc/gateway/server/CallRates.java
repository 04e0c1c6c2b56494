// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.server;

import dev.tensorbus.grpc.gateway.wire.GrpcStatusException;
import dev.tensorbus.grpc.gateway.wire.Reason;
import dev.tensorbus.rpc.thread.time.NanoClock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// Limits each host's rate of calls: `perSecond` on average, with bursts of up to `perSecond`
/// calls.
final class CallRates {
  private static final int HOSTS = 10_000;
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final int perSecond;
  private final NanoClock clock;

  /// For each host, the time until which its quota is used up. The least recently seen host is
  /// first.
  private final Map<String, Long> usedUntil = new LinkedHashMap<>(16, 0.75f, true);

  CallRates(int perSecond, NanoClock clock) {
    this.perSecond = perSecond;
    this.clock = clock;
  }

  /// @throws GrpcStatusException if the host exceeds the rate; the exception says when to retry
  void require(String host) {
    if (perSecond > 0) {
      Duration pause = Duration.ofNanos(excess(host));
      if (pause.isPositive()) {
        throw new GrpcStatusException(
                Reason.TOO_MANY_CALLS,
                "more than %d calls per second, the limit of --grpc-rate".formatted(perSecond))
            .withRetryAfter(pause);
      }
    }
  }

  private synchronized long excess(String host) {
    long now = clock.nanoTime();
    long price = SECOND / perSecond;
    long from = usedUntil.getOrDefault(host, now);
    long until = (from - now < 0 ? now : from) + price;
    long excess = until - now - SECOND;
    if (excess <= 0) {
      usedUntil.put(host, until);
      if (usedUntil.size() > HOSTS) {
        usedUntil.remove(usedUntil.keySet().iterator().next());
      }
    }
    return excess;
  }
}
