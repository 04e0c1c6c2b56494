// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import java.util.List;
import java.util.stream.IntStream;

/// Who has which rank. Without `--servers`, rank 0 has a role of its own, and all other ranks have
/// another one. With it, the first ranks are the parameter servers, then comes the witness if there
/// is one, and all others are trainers.
///
/// @param servers the number of parameter servers; 0 for a world without `--servers`
/// @param witnesses the number of witnesses, 0 or 1
/// @param worldSize the number of workers
public record Ranks(int servers, int witnesses, int worldSize) {
  /// Returns the ranks of the world with these options.
  public static Ranks of(WorkerOptions options) {
    return new Ranks(
        options.optionalInt(ServerSettings.SERVERS).orElse(0),
        options.isOn(ServerSettings.WITNESS) ? 1 : 0,
        options.worldSize());
  }

  /// Returns the lowest rank with a role.
  public int first(Role role) {
    return switch (role) {
      case WITNESS -> servers;
      case TRAINER -> servers == 0 ? role.firstRank() : servers + witnesses;
      default -> role.firstRank();
    };
  }

  /// Returns the highest rank with a role; lower than the lowest one if no worker has the role.
  public int last(Role role) {
    return switch (role) {
      case PARAMETER_SERVER -> servers == 0 ? 0 : servers - 1;
      case WITNESS -> servers + witnesses - 1;
      default -> role.isFirst() ? 0 : worldSize - 1;
    };
  }

  /// Returns the name of the worker with this role and rank: `server1`, `server2`, `witness`,
  /// `trainer1`… or, without servers, as [Role#nameOf] does.
  public String nameOf(Role role, int rank) {
    if (servers == 0) {
      return role.nameOf(rank);
    }
    return switch (role) {
      case WITNESS -> role.label();
      case PARAMETER_SERVER -> "server" + (rank + 1);
      default -> role.label() + (rank - first(role) + 1);
    };
  }

  /// Returns the names of all workers with a role, in order of rank.
  public List<String> names(Role role) {
    return IntStream.rangeClosed(first(role), last(role))
        .mapToObj(rank -> nameOf(role, rank))
        .toList();
  }
}
