// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.exchange;

import dev.tensorbus.rpc.transport.bus.BatchingSender;
import dev.tensorbus.rpc.transport.lane.Peers;
import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.Sender;
import dev.tensorbus.rpc.world.membership.ClusterNode;
import dev.tensorbus.rpc.world.membership.Member;
import dev.tensorbus.rpc.world.membership.Membership;
import org.jspecify.annotations.Nullable;

/// The other workers as one that sends them tensors sees them: on its own Vertx, or on another.
public record LanePeers(ClusterNode here, Membership membership, BatchingSender sender)
    implements Peers {
  @Override
  public boolean mayHaveLane(Sender peer) {
    String node = node(peer);
    return node != null && !node.equals(here.node());
  }

  @Override
  public boolean isNextDoor(Sender peer) {
    return here.node().equals(node(peer));
  }

  /// Where this life of a worker of this world is.
  private @Nullable String node(Sender peer) {
    Member known = membership.member(peer.info().name());
    return known != null && known.sender().equals(peer) ? known.node() : null;
  }

  @Override
  public void send(Sender to, Frame frame) {
    sender.send(to, frame);
  }

  @Override
  public String host() {
    return here.address();
  }
}
