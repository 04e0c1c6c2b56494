// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph;

import dev.tensorbus.rpc.call.Peer;
import dev.tensorbus.rpc.call.Peers;
import dev.tensorbus.rpc.wire.message.Release;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Notifies workers that contexts are over.
///
/// A message at the end of each context would delay the first call of the next context. So finished
/// contexts are collected for a short time and sent in batches.
final class Releases {
  private static final int MOST = 16;

  private final Peers peers;

  /// Finished contexts by worker. Guarded by itself.
  private final Map<String, List<Long>> collected = new HashMap<>();

  Releases(Peers peers) {
    this.peers = peers;
  }

  /// Schedules the notification of a worker that a context is over. The notification is dropped if
  /// the worker has left.
  void add(String worker, long context) {
    List<Long> contexts;
    synchronized (collected) {
      contexts = collected.computeIfAbsent(worker, key -> new ArrayList<>());
      contexts.add(context);
      if (contexts.size() < MOST) {
        return;
      }
      collected.remove(worker);
    }
    send(worker, contexts);
  }

  /// Sends all collected releases.
  void flush() {
    Map<String, List<Long>> all;
    synchronized (collected) {
      all = Map.copyOf(collected);
      collected.clear();
    }
    all.forEach(this::send);
  }

  private void send(String worker, List<Long> contexts) {
    Peer peer = peers.known(worker);
    if (peer != null) {
      peers.send(peer.sender(), new Release(peers.self().sender(), contexts).toFrame());
    }
  }
}
