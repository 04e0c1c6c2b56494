// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.membership;

/// Why a worker is gone.
public enum DepartureCause {
  /// The worker said goodbye.
  GOODBYE("left"),
  /// Its node is no longer in the cluster.
  NODE_LEFT("left"),
  /// The worker sent no sign of life; others may still have it.
  SILENCE("was silent for the heartbeat timeout"),
  /// The worker says that it has lost this worker.
  REFUSAL("lost this worker");

  private final String verb;

  DepartureCause(String verb) {
    this.verb = verb;
  }

  /// Returns the predicate of a message whose subject is the worker.
  public String verb() {
    return verb;
  }
}
