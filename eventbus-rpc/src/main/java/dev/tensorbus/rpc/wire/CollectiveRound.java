// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire;

import java.util.List;
import java.util.stream.Collectors;

/// Identifies a round of a collective operation. A round fails unless all members join it.
///
/// @param operation the name of the operation
/// @param members the incarnations of the workers that take part, in the order of their ranks
/// @param number the number of this round among the rounds of the same members and operation
public record CollectiveRound(String operation, List<Sender> members, long number) {
  /// Returns the name of the worker that collects the values of the others.
  public String leader() {
    return members.getFirst().info().name();
  }

  /// Returns the operation and the names of the members, for example `barrier of worker0, worker1`.
  @Override
  public String toString() {
    return members.stream()
        .map(member -> member.info().name())
        .collect(Collectors.joining(", ", operation + " of ", ""));
  }
}
