// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import java.util.function.Consumer;

/// A training program: its settings, and which verticle each role runs.
///
/// @param name what follows `tensorbus train`
/// @param summary what it trains, in one line
/// @param settings what can be set
/// @param check throws [UsageException] if what the options name is no use, before anything
///     starts
/// @param first what rank 0 does
/// @param others what every other rank does
public record Program(
    String name,
    String summary,
    ProgramSettings settings,
    Consumer<WorkerOptions> check,
    RoleBinding first,
    RoleBinding others) {

  /// The role of the worker of this rank.
  public RoleBinding binding(int rank) {
    return rank == 0 ? first : others;
  }

  /// The users' name for the worker of this rank.
  public String nameOf(int rank) {
    return binding(rank).role().nameOf(rank);
  }
}
