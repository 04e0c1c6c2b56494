// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import java.util.function.Consumer;

/// A training program: its settings and the verticle of each role.
///
/// @param name its name in `tensorbus train NAME`
/// @param summary what it trains, in one line
/// @param settings the settings it accepts
/// @param check validates the options before anything starts; throws [UsageException]
/// @param first the role of rank 0
/// @param others the role of every other rank
public record Program(
    String name,
    String summary,
    ProgramSettings settings,
    Consumer<WorkerOptions> check,
    RoleBinding first,
    RoleBinding others) {

  /// Returns the role of the worker with this rank.
  public RoleBinding binding(int rank) {
    return rank == 0 ? first : others;
  }

  /// Returns the user-visible name of the worker with this rank.
  public String nameOf(int rank) {
    return binding(rank).role().nameOf(rank);
  }
}
