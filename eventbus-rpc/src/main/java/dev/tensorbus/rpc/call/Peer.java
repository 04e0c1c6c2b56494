// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call;

import dev.tensorbus.rpc.wire.Sender;

/// A worker of the world, as another worker knows it.
public interface Peer {
  /// Returns the worker's incarnation.
  Sender sender();

  /// Returns the cluster node on which the worker runs.
  String node();
}
