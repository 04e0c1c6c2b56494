// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.OptimizerState;
import dev.tensorbus.optim.server.consistency.Consistency;
import dev.tensorbus.optim.server.consistency.Consistency.Bsp;
import dev.tensorbus.optim.server.replica.GroupSettings;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The options with which trainers join a [ParameterStore]. All trainers of a group must use
/// the same.
///
/// @param servers the names of the workers that are parameter servers
/// @param group the name of the group of parameters
/// @param trainers the number of trainers that must join before the first step
/// @param consistency how the trainers' pushes become steps
/// @param shards the number of parts of the data of which each step combines one push each,
///     whoever computes it; 0 if it combines the pushes of trainers. Requires [Bsp] without backup
///     workers
/// @param localSteps the steps that trainers take by themselves, or null if each step is pushed
/// @param patience how long parameters may be without a server before a trainer's request fails
public record StoreOptions(
    List<String> servers,
    String group,
    int trainers,
    Consistency consistency,
    int shards,
    @Nullable LocalSteps localSteps,
    Duration patience) {
  /// Copies the list and checks the options.
  ///
  /// @throws IllegalArgumentException if there are no servers, or both shards and local steps
  public StoreOptions {
    servers = List.copyOf(servers);
    if (servers.isEmpty()) {
      throw new IllegalArgumentException("no servers; expected the name of at least one worker");
    }
    if (shards > 0 && localSteps != null) {
      throw new IllegalArgumentException(
          "%d shards with %d local steps; expected one of both, since local steps differ between"
                  .formatted(shards, localSteps.steps())
              + " trainers");
    }
  }

  /// Returns the options for a group named `model` with one trainer, [Bsp] and a patience of a
  /// minute.
  public static StoreOptions of(String... servers) {
    return new StoreOptions(
        List.of(servers), "model", 1, new Bsp(0), 0, null, Duration.ofMinutes(1));
  }

  /// Returns a copy for another group.
  public StoreOptions withGroup(String newGroup) {
    return new StoreOptions(servers, newGroup, trainers, consistency, shards, localSteps, patience);
  }

  /// Returns a copy for another number of trainers.
  public StoreOptions withTrainers(int newTrainers) {
    return new StoreOptions(servers, group, newTrainers, consistency, shards, localSteps, patience);
  }

  /// Returns a copy with another consistency.
  ///
  /// @param text `bsp`, `bsp:B`, `quorum:K:MSms`, `ssp:T` or `async`; see [Consistency]
  /// @throws IllegalArgumentException if it is none of these
  public StoreOptions withConsistency(String text) {
    return new StoreOptions(
        servers, group, trainers, Consistency.parse(text), shards, localSteps, patience);
  }

  /// Returns a copy whose steps combine one push of each of this many shards of the data. If a
  /// trainer dies, others compute its shards, so that the run ends with the same bits. There should
  /// be as many shards as trainers, or a multiple.
  public StoreOptions withShards(int newShards) {
    return new StoreOptions(servers, group, trainers, consistency, newShards, localSteps, patience);
  }

  /// Returns a copy whose trainers push once for several steps of their own. The optimizer with
  /// which they join is their own.
  public StoreOptions withLocalSteps(LocalSteps newSteps) {
    return new StoreOptions(servers, group, trainers, consistency, shards, newSteps, patience);
  }

  /// Returns a copy with another patience.
  public StoreOptions withPatience(Duration newPatience) {
    return new StoreOptions(servers, group, trainers, consistency, shards, localSteps, newPatience);
  }

  /// Returns the parameters of a model that a group of parameters has: those that require a
  /// gradient, by name.
  static Map<String, Tensor> parametersOf(Layer model) {
    Map<String, Tensor> parameters = new LinkedHashMap<>(model.namedParameters());
    parameters.values().removeIf(parameter -> !parameter.requiresGrad());
    return parameters;
  }

  /// Returns the settings of the group.
  ///
  /// @param optimizer the optimizer of the trainers
  GroupSettings settings(Map<String, Tensor> parameters, OptimizerSpec optimizer) {
    List<String> kinds =
        parameters.entrySet().stream()
            .map(entry -> entry.getKey() + " " + OptimizerState.kind(entry.getValue()))
            .toList();
    return new GroupSettings(
        group, kinds, serverOptimizer(optimizer), consistency.toString(), trainers, shards);
  }

  /// Returns the optimizer of the servers.
  ///
  /// @param optimizer the optimizer of the trainers
  OptimizerSpec serverOptimizer(OptimizerSpec optimizer) {
    return localSteps == null ? optimizer : localSteps.outer();
  }
}
