// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import java.util.List;
import java.util.SortedMap;

/// A snapshot of a parameter server, for people to look at.
///
/// @param epoch the epoch of its slot map, which increases with each change of the servers
/// @param servers the names of the live servers, in order
/// @param primarySlots the number of slots that it answers for
/// @param backupSlots the number of slots that it has copies of
/// @param lostSlots the number of slots that no server has any more
/// @param groups the groups of parameters of which it is the primary of a slot
/// @param takeOvers what it did when other servers died, the oldest first
public record ServerStatus(
    long epoch,
    List<String> servers,
    int primarySlots,
    int backupSlots,
    int lostSlots,
    List<Group> groups,
    List<TakeOver> takeOvers) {
  /// Copies the lists.
  public ServerStatus {
    servers = List.copyOf(servers);
    groups = List.copyOf(groups);
    takeOvers = List.copyOf(takeOvers);
  }

  /// A group of parameters.
  ///
  /// @param name its name, such as `model`
  /// @param version the version of its values
  /// @param staleness by trainer: how many pushes it is behind the fastest one
  public record Group(String name, long version, SortedMap<String, Long> staleness) {
    /// Returns the status of two parts of a group.
    Group newer(Group other) {
      return new Group(name, Math.max(version, other.version), staleness);
    }
  }

  /// What a server did when another one died.
  ///
  /// @param server the name of the one that died
  /// @param slots the number of slots that this server answers for since then
  /// @param lost the number of slots that no server has since then
  /// @param millis the time from the notice of the death, in milliseconds; 0 if this server noticed
  ///     it after the others had agreed on it
  public record TakeOver(String server, int slots, int lost, long millis) {}
}
