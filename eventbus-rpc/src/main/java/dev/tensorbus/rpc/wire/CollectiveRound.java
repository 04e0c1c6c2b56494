// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire;

import java.util.List;
import java.util.stream.Collectors;

/// Identifies a round of a collective: all members come, or it fails.
///
/// @param operation the name of the operation
/// @param members the incarnations that take part, by rank: a replaced worker starts new rounds
/// @param number counts the rounds of these members for this operation
public record CollectiveRound(String operation, List<Sender> members, long number) {
  /// Returns the worker that collects the values of the others.
  public String leader() {
    return members.getFirst().info().name();
  }

  /// Returns the operation and the names: `barrier of worker0, worker1`.
  @Override
  public String toString() {
    return members.stream()
        .map(member -> member.info().name())
        .collect(Collectors.joining(", ", operation + " of ", ""));
  }
}
