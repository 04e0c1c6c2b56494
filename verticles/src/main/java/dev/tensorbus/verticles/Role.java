// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import java.util.Arrays;
import java.util.Optional;

/// The parts that workers play.
public enum Role {
  /// Rank 0 of most programs: owns the model.
  PARAMETER_SERVER("parameter-server", true),
  /// Every other rank there: drives the training.
  TRAINER("trainer", false),
  /// Rank 0 where behaviour is learned: owns the policy and decides what to do.
  AGENT("agent", true),
  /// Every other rank there: lives in a world of its own and does what the agent says.
  OBSERVER("observer", false);

  private final String label;
  private final boolean isFirst;

  Role(String label, boolean isFirst) {
    this.label = label;
    this.isFirst = isFirst;
  }

  /// The role of this label.
  public static Optional<Role> of(String label) {
    return Arrays.stream(values()).filter(role -> role.label.equals(label)).findFirst();
  }

  /// Its name in commands and files.
  public String label() {
    return label;
  }

  /// Whether rank 0 plays it, and nobody else.
  public boolean isFirst() {
    return isFirst;
  }

  /// The lowest rank that plays it.
  public int firstRank() {
    return isFirst ? 0 : 1;
  }

  /// The users' name for the worker of this rank: `agent`, `observer1`, `observer2`…
  public String nameOf(int rank) {
    return isFirst ? label : label + rank;
  }
}
