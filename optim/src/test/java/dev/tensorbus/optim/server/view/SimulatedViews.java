// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.view;

import dev.tensorbus.rpc.testing.SimulatedNode;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;

/// The [RaftViews] of a node of a simulation that also does other work.
public final class SimulatedViews<S, C> {
  /// A lease, on the slowest clock of a simulation whose clocks drift by half a percent.
  public static final Duration LONGEST_LEASE = SimulatedVoters.LONGEST_LEASE;

  private final RaftViews<S, C> views;

  /// Makes a node a voter. Its arguments are those of [RaftViews#open].
  public SimulatedViews(
      SimulatedNode node, List<String> names, S initial, BiFunction<S, C, S> apply) {
    views =
        new RaftViews<>(
            names,
            node.name(),
            initial,
            apply,
            SimulatedVoters.HEARTBEAT_TIMEOUT,
            new SimulatedHost(node, _ -> {}));
    views.start();
  }

  public Views<S, C> views() {
    return views;
  }

  /// Handles a message if it is for the voter. Returns whether it is.
  public boolean receive(String from, Object message) {
    if (message instanceof VoterMessage vote) {
      views.receive(from, vote);
      return true;
    }
    return false;
  }

  /// Notifies the voter that a worker was lost.
  public void lost(String name) {
    views.lost(name);
  }

  /// Returns the members of the voter's group, or none if it does not take part in decisions now.
  public List<?> members() {
    return views.isLive() && views.isSettled() ? views.members() : List.of();
  }
}
