// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.listen;

import dev.tensorbus.rpc.thread.time.NanoClock;
import java.lang.System.Logger.Level;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Limits how often each host does something: a number of times per second on average, after a
/// burst. Remembers the 10,000 hosts that were seen last. Thread-safe.
public final class HostRates {
  private static final int HOSTS = 10_000;
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long LOG_INTERVAL = TimeUnit.MINUTES.toNanos(1);
  private static final int NETWORK_BYTES = 8;
  private static final System.Logger LOG = System.getLogger(HostRates.class.getName());

  private final long price;
  private final long burst;
  private final NanoClock clock;
  private long nextLog;

  /// For each host, the time until which its quota is used up. The least recently seen host is
  /// first.
  private final Map<String, Long> usedUntil = new LinkedHashMap<>(16, 0.75f, true);

  /// @param perSecond the average rate; positive
  /// @param burst the number allowed at once
  public HostRates(int perSecond, int burst, NanoClock clock) {
    price = SECOND / perSecond;
    this.burst = burst * price;
    this.clock = clock;
    nextLog = clock.nanoTime();
  }

  /// Returns the limit for connections to one port whose other end is not known yet. A TLS
  /// handshake takes some 2 ms of this process's time, and an attacker could begin any number.
  public static HostRates ofStrangers() {
    return new HostRates(100, WaitingRoom.SEATS, NanoClock.SYSTEM);
  }

  /// Counts an action of a host if it may act now. All addresses of an IPv6 network of 64 bits are
  /// one host, since an attacker may have them all.
  ///
  /// @param address an IP address
  /// @return how long the host must wait; zero or negative if the action was counted
  public synchronized Duration acquire(String address) {
    String host = network(address);
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

  private static String network(String address) {
    return InetAddress.ofLiteral(address) instanceof Inet6Address wide
        ? HexFormat.of().formatHex(wide.getAddress(), 0, NETWORK_BYTES)
        : address;
  }

  /// Returns whether a host may open another connection, and counts it if so. Logs a refusal, once
  /// per minute.
  ///
  /// @param other the address of the other end, or null if the connection has already ended
  public boolean admit(@Nullable SocketAddress other) {
    if (!(other instanceof InetSocketAddress internet)) {
      return false;
    }
    String address = internet.getAddress().getHostAddress();
    boolean mayTry = !acquire(address).isPositive();
    if (!mayTry && isLogDue()) {
      LOG.log(
          Level.WARNING,
          "refused connections of {0}: more than {1} per second; if workers share this address,"
              + " start them in groups",
          address,
          SECOND / price);
    }
    return mayTry;
  }

  private synchronized boolean isLogDue() {
    long now = clock.nanoTime();
    if (now - nextLog < 0) {
      return false;
    }
    nextLog = now + LOG_INTERVAL;
    return true;
  }
}
