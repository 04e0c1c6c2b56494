// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.server;

import io.vertx.core.http.HttpServerRequest;
import java.util.HashMap;
import java.util.Map;

/// A resource that all callers share, such as bytes of memory. A connection may hold at most as
/// much as remains free, and a host twice as much, so that some always remains for others. These
/// are the dynamic thresholds by which switches share their buffers (Choudhury and Hahne, 1998).
final class DynamicThresholds {
  private final long total;
  private long taken;

  /// By host and by connection.
  private final Map<Object, Long> held = new HashMap<>();

  DynamicThresholds(long total) {
    this.total = total;
  }

  /// A holder of the resource.
  ///
  /// @param host address of the host
  /// @param connection a connection from that host
  record Peer(String host, Object connection) {
    static Peer of(HttpServerRequest request) {
      return new Peer(request.remoteAddress().hostAddress(), request.connection());
    }
  }

  long total() {
    return total;
  }

  /// Takes an amount. Returns whether the peer may have it.
  synchronized boolean take(Peer peer, long amount) {
    long left = total - taken;
    if (held(peer.connection()) + amount > left || held(peer.host()) + amount > 2 * left) {
      return false;
    }
    add(peer, amount);
    return true;
  }

  /// Returns an amount.
  synchronized void give(Peer peer, long amount) {
    add(peer, -amount);
  }

  private long held(Object holder) {
    return held.getOrDefault(holder, 0L);
  }

  private void add(Peer peer, long amount) {
    taken += amount;
    for (Object holder : new Object[] {peer.host(), peer.connection()}) {
      held.merge(holder, amount, (before, more) -> before + more == 0 ? null : before + more);
    }
  }
}
