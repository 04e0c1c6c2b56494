// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import dev.tensorbus.optim.server.slot.SlotMap;
import java.util.List;
import java.util.stream.Stream;

/// The options of a [ParameterServer]. All servers and witnesses of a world must have the same
/// ones.
///
/// @param servers the names of the workers that are parameter servers
/// @param witnesses the names of workers that hold no parameters, but help the servers to agree on
///     who is alive. A majority of servers and witnesses must be alive, so two servers need one
/// @param backups the number of servers that have a copy of each parameter, besides its primary. If
///     it is 0, the death of a server loses its parameters
public record ServerOptions(List<String> servers, List<String> witnesses, int backups) {
  /// Copies the lists and checks the options.
  ///
  /// @throws IllegalArgumentException if there are no servers, or too few for the backups
  public ServerOptions {
    servers = List.copyOf(servers);
    witnesses = List.copyOf(witnesses);
    if (servers.isEmpty()) {
      throw new IllegalArgumentException("no servers; expected the name of at least one worker");
    }
    var _ = new SlotMap.Settings(servers.size(), backups); // which checks them
  }

  /// Returns the options for these servers, without witnesses. With three servers or more, each
  /// parameter has one backup; with fewer, none.
  public static ServerOptions of(String... servers) {
    return new ServerOptions(List.of(servers), List.of(), servers.length < 3 ? 0 : 1);
  }

  /// Returns the servers and witnesses, which agree on who is alive.
  List<String> voters() {
    return Stream.concat(servers.stream(), witnesses.stream()).toList();
  }

  /// Returns a copy with other witnesses. If there are two servers or more, each parameter has a
  /// backup then: a witness helps one to take over.
  public ServerOptions withWitnesses(String... newWitnesses) {
    int least = servers.size() > 1 && newWitnesses.length > 0 ? 1 : 0;
    return new ServerOptions(servers, List.of(newWitnesses), Math.max(backups, least));
  }

  /// Returns a copy with another number of backups.
  public ServerOptions withBackups(int newBackups) {
    return new ServerOptions(servers, witnesses, newBackups);
  }
}
