// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call;

import dev.tensorbus.rpc.wire.Sender;

/// A worker of the world, as the one that calls it knows it.
public interface Peer {
  /// The life of the worker.
  Sender sender();

  /// The cluster node on which it lives.
  String node();
}
