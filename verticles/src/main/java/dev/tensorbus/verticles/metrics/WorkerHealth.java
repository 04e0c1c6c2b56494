// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.metrics;

import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcException;
import java.util.Optional;

/// Decides whether a worker is healthy: it is a member of its world, and knows a worker of each
/// rank. A worker of a dynamic group only has to be a member.
public final class WorkerHealth {
  private WorkerHealth() {}

  /// Returns why a worker is not healthy; empty if it is.
  public static Optional<String> problem(Rpc rpc) {
    try {
      rpc.worker(rpc.self().name()); // unknown after it has left
      for (int rank = 0; rank < rpc.worldSize(); rank++) {
        rpc.worker(rank);
      }
      return Optional.empty();
    } catch (RpcException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }
}
