// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import dev.tensorbus.optim.server.ModelServer;
import dev.tensorbus.rpc.Rpc;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A training program: its settings and the verticle of each role.
///
/// @param name its name in `tensorbus train NAME`
/// @param summary what it trains, in one line
/// @param settings the settings it accepts
/// @param check validates the options before anything starts; throws [UsageException]
/// @param first the role of rank 0
/// @param others the role of every other rank
/// @param storeTrainer the role of the trainers in a world with parameter servers; used only if
///     [#settings] has [ServerSettings#ALL]
/// @param served creates the model that the gateway of a parameter server serves, if it serves one
public record Program(
    String name,
    String summary,
    ProgramSettings settings,
    Consumer<WorkerOptions> check,
    RoleBinding first,
    RoleBinding others,
    RoleBinding storeTrainer,
    @Nullable BiFunction<Rpc, WorkerOptions, ModelServer> served) {

  /// Creates a program whose parameter servers have no model for a gateway.
  public Program(
      String name,
      String summary,
      ProgramSettings settings,
      Consumer<WorkerOptions> check,
      RoleBinding first,
      RoleBinding others,
      RoleBinding storeTrainer) {
    this(name, summary, settings, check, first, others, storeTrainer, null);
  }

  /// Creates a program that has no worlds with parameter servers.
  public Program(
      String name,
      String summary,
      ProgramSettings settings,
      Consumer<WorkerOptions> check,
      RoleBinding first,
      RoleBinding others) {
    this(name, summary, settings, check, first, others, others);
  }

  /// Returns the role of the worker with this rank.
  public RoleBinding binding(int rank, WorkerOptions options) {
    if (!ServerSettings.isOn(options)) {
      return rank == 0 ? first : others;
    }
    Ranks ranks = Ranks.of(options);
    if (rank >= ranks.first(Role.TRAINER)) {
      return storeTrainer;
    }
    Role role = rank <= ranks.last(Role.PARAMETER_SERVER) ? Role.PARAMETER_SERVER : Role.WITNESS;
    return new RoleBinding(role, (own, _) -> new ServerVerticle(role, own, served));
  }

  /// Returns the role of a worker that takes the next free rank of its role, unless its options
  /// have a rank.
  public RoleBinding binding(Role role, WorkerOptions options) {
    return binding(options.rank().orElse(Ranks.of(options).first(role)), options);
  }

  /// Returns the user-visible name of the worker with this rank.
  public String nameOf(int rank, WorkerOptions options) {
    return Ranks.of(options).nameOf(binding(rank, options).role(), rank);
  }
}
