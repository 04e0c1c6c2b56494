// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.listen;

import dev.tensorbus.rpc.thread.time.NanoClock;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// Limits how often each host does something: a number of times per second on average, after a
/// burst. Remembers the 10,000 hosts that were seen last. Thread-safe.
public final class HostRates {
  private static final int HOSTS = 10_000;
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final long price;
  private final long burst;
  private final NanoClock clock;

  /// For each host, the time until which its quota is used up. The least recently seen host is
  /// first.
  private final Map<String, Long> usedUntil = new LinkedHashMap<>(16, 0.75f, true);

  /// @param perSecond how often, on average; positive
  /// @param burst how often at once
  public HostRates(int perSecond, int burst, NanoClock clock) {
    price = SECOND / perSecond;
    this.burst = burst * price;
    this.clock = clock;
  }

  /// Returns the limit for connections to one port whose other end is not known yet. A TLS
  /// handshake takes some 2 ms of this process's time, and an attacker could begin any number.
  public static HostRates ofStrangers() {
    return new HostRates(100, WaitingRoom.SEATS, NanoClock.SYSTEM);
  }

  /// Returns how long the host must wait, which is not positive if it may act now. That counts, and
  /// waiting does not.
  public synchronized Duration excess(String host) {
    long now = clock.nanoTime();
    long from = usedUntil.getOrDefault(host, now);
    long until = (from - now < 0 ? now : from) + price;
    long excess = until - now - burst;
    if (excess <= 0) {
      usedUntil.put(host, until);
      if (usedUntil.size() > HOSTS) {
        usedUntil.remove(usedUntil.keySet().iterator().next());
      }
    }
    return Duration.ofNanos(excess);
  }

  /// Returns whether a host may open another connection, and counts it if so.
  ///
  /// @param other the address of the other end
  public boolean admit(SocketAddress other) {
    String host =
        other instanceof InetSocketAddress internet
            ? internet.getAddress().getHostAddress()
            : other.toString();
    return !excess(host).isPositive();
  }
}
