// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire;

import java.util.List;
import java.util.stream.Collectors;

/// Names one meeting of workers: all of them come, or it fails.
///
/// @param operation what they meet for
/// @param members the lives that take part, by rank: whoever replaces one of them starts afresh
/// @param number counts the meetings of these for this
public record CollectiveRound(String operation, List<Sender> members, long number) {
  /// The worker that collects the values of the others.
  public String leader() {
    return members.getFirst().info().name();
  }

  /// The operation and the names: `barrier of worker0, worker1`.
  @Override
  public String toString() {
    return members.stream()
        .map(member -> member.info().name())
        .collect(Collectors.joining(", ", operation + " of ", ""));
  }
}
