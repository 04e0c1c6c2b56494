// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

/// The two parts that workers play.
public enum Role {
  /// Rank 0: owns the model.
  PARAMETER_SERVER("parameter-server"),
  /// Every other rank: drives the training.
  TRAINER("trainer");

  private final String label;

  Role(String label) {
    this.label = label;
  }

  /// The part that the worker of this rank plays.
  public static Role of(int rank) {
    return rank == 0 ? PARAMETER_SERVER : TRAINER;
  }

  /// What users call the worker of this rank: `parameter-server`, `trainer1`, `trainer2`…
  public static String nameOf(int rank) {
    return rank == 0 ? PARAMETER_SERVER.label : TRAINER.label + rank;
  }

  /// Its name in commands and files.
  public String label() {
    return label;
  }
}
