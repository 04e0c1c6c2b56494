// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.membership;

/// Why a worker left the world or was lost.
public enum DepartureCause {
  /// The worker said goodbye.
  GOODBYE("left"),
  /// The worker's node is no longer in the cluster.
  NODE_LEFT("left"),
  /// The worker was silent for too long. Other workers may still know it.
  SILENCE("was silent for the heartbeat timeout"),
  /// The worker has reported that it lost this worker.
  REFUSAL("lost this worker");

  private final String verb;

  DepartureCause(String verb) {
    this.verb = verb;
  }

  /// Returns the predicate of a sentence about the worker, for messages.
  public String verb() {
    return verb;
  }
}
