// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.membership;

/// How a worker went.
public enum DepartureCause {
  /// It said so.
  GOODBYE("left"),
  /// Its node is no longer in the cluster.
  NODE_LEFT("left"),
  /// It gave no sign of life; others may still have it.
  SILENCE("was silent for the heartbeat time-out"),
  /// It says that it has lost this worker.
  REFUSAL("lost this worker");

  private final String verb;

  DepartureCause(String verb) {
    this.verb = verb;
  }

  /// The predicate of a message whose subject is the worker.
  public String verb() {
    return verb;
  }
}
