// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.membership;

import dev.tensorbus.rpc.call.Peer;
import dev.tensorbus.rpc.call.Peers;
import dev.tensorbus.rpc.transport.Transport;
import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.Sender;
import dev.tensorbus.rpc.wire.message.Heartbeat;
import dev.tensorbus.rpc.wire.message.Heartbeat.Step;
import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/// The workers of a world.
///
/// @param membership knows the workers
/// @param transport sends frames to the workers
/// @param detector detects failures of the workers
public record WorldPeers(Membership membership, Transport transport, FailureDetector detector)
    implements Peers {
  @Override
  public Peer self() {
    return membership.self();
  }

  @Override
  public @Nullable Peer known(String name) {
    return membership.member(name);
  }

  @Override
  public @Nullable Peer ofRank(int rank) {
    return membership.members().stream()
        .filter(member -> member.info().id() == rank)
        .findFirst()
        .orElse(null);
  }

  @Override
  public Future<Peer> find(String name) {
    return membership.find(name).map(found -> found);
  }

  @Override
  public Future<Boolean> isRegistered(Sender life, String node) {
    return membership.isRegistered(life, node);
  }

  @Override
  public boolean isGone(Sender life) {
    return membership.isGone(life);
  }

  @Override
  public Future<Void> send(Sender to, Frame frame) {
    return transport.send(to, frame);
  }

  @Override
  public void heard(Sender from) {
    detector.heard(from);
  }

  @Override
  public void refuse(Sender gone) {
    send(gone, new Heartbeat(Step.LOST, self().sender()).toFrame());
  }
}
