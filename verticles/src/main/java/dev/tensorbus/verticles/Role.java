// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import java.util.Arrays;
import java.util.Optional;

/// The roles of workers.
public enum Role {
  /// Owns the model; rank 0 of most programs.
  PARAMETER_SERVER("parameter-server", true),
  /// Holds no parameters, but helps parameter servers to agree on who is alive.
  WITNESS("witness", false),
  /// Drives the training; all ranks but 0 of most programs.
  TRAINER("trainer", false),
  /// Owns the policy and chooses the actions; rank 0 of reinforcement-learning programs.
  AGENT("agent", true),
  /// Runs an environment with the agent's actions; all ranks but 0 of reinforcement-learning
  /// programs.
  OBSERVER("observer", false);

  private final String label;
  private final boolean isFirst;

  Role(String label, boolean isFirst) {
    this.label = label;
    this.isFirst = isFirst;
  }

  /// Returns the role with this label.
  public static Optional<Role> of(String label) {
    return Arrays.stream(values()).filter(role -> role.label.equals(label)).findFirst();
  }

  /// Returns the name used in commands and files.
  public String label() {
    return label;
  }

  /// Returns whether this is the role of rank 0.
  public boolean isFirst() {
    return isFirst;
  }

  /// Returns the lowest rank with this role.
  public int firstRank() {
    return isFirst ? 0 : 1;
  }

  /// Returns the name of the worker with this rank: `agent`, `observer1`, `observer2`…
  public String nameOf(int rank) {
    return isFirst ? label : label + rank;
  }
}
