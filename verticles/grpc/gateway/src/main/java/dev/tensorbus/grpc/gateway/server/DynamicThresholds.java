// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.server;

import io.vertx.core.http.HttpServerRequest;
import java.util.HashMap;
import java.util.Map;

/// A resource that all callers share, such as bytes of memory. A connection may hold at most the
/// amount that is still free, and a host twice that amount, so that some is always left for others.
/// Network switches use the same dynamic thresholds to share their buffers (Choudhury and Hahne,
/// 1998).
final class DynamicThresholds {
  private final long total;
  private long taken;

  /// The held amounts, by host and by connection.
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

  /// Takes an amount. Returns false, and takes nothing, if the peer would exceed its threshold.
  synchronized boolean take(Peer peer, long amount) {
    long left = total - taken;
    if (held(peer.connection()) + amount > left || held(peer.host()) + amount > 2 * left) {
      return false;
    }
    add(peer, amount);
    return true;
  }

  /// Releases an amount.
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
