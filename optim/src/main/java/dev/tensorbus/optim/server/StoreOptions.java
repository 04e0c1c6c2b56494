// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import dev.tensorbus.optim.server.consistency.Consistency;
import dev.tensorbus.optim.server.consistency.Consistency.Bsp;
import java.time.Duration;
import java.util.List;

/// The options with which trainers join a [ParameterStore]. All trainers of a group must use
/// the same.
///
/// @param servers the names of the workers that are parameter servers
/// @param group the name of the group of parameters
/// @param trainers the number of trainers that must join before the first step
/// @param consistency how the trainers' pushes become steps
/// @param patience how long parameters may be without a server before a trainer's request fails
public record StoreOptions(
    List<String> servers, String group, int trainers, Consistency consistency, Duration patience) {
  /// Copies the list and checks the options.
  ///
  /// @throws IllegalArgumentException if there are no servers
  public StoreOptions {
    servers = List.copyOf(servers);
    if (servers.isEmpty()) {
      throw new IllegalArgumentException("no servers; expected the name of at least one worker");
    }
  }

  /// Returns the options for a group named `model` with one trainer, [Bsp] and a patience of a
  /// minute.
  public static StoreOptions of(String... servers) {
    return new StoreOptions(List.of(servers), "model", 1, new Bsp(0), Duration.ofMinutes(1));
  }

  /// Returns a copy for another group.
  public StoreOptions withGroup(String newGroup) {
    return new StoreOptions(servers, newGroup, trainers, consistency, patience);
  }

  /// Returns a copy for another number of trainers.
  public StoreOptions withTrainers(int newTrainers) {
    return new StoreOptions(servers, group, newTrainers, consistency, patience);
  }

  /// Returns a copy with another consistency.
  ///
  /// @param text one of [Consistency#TEXTS]
  public StoreOptions withConsistency(String text) {
    return new StoreOptions(servers, group, trainers, Consistency.parse(text), patience);
  }

  /// Returns a copy with another patience.
  public StoreOptions withPatience(Duration newPatience) {
    return new StoreOptions(servers, group, trainers, consistency, newPatience);
  }
}
