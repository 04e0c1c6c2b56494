// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call;

import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.Sender;
import io.vertx.core.Future;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Peers for a test of one part of a worker, each on a node named after it.
///
/// @param sender the worker itself
/// @param isThere whether a worker is known and lives
/// @param sending sends a frame
public record GivenPeers(
    Sender sender, Predicate<Sender> isThere, BiFunction<Sender, Frame, Future<Void>> sending)
    implements Peers, Peer {
  @Override
  public Peer self() {
    return this;
  }

  @Override
  public String node() {
    return sender.info().name();
  }

  @Override
  public @Nullable Peer known(String name) {
    return name.equals(node()) ? this : null;
  }

  @Override
  public @Nullable Peer known(Sender life) {
    return isThere.test(life) ? new GivenPeers(life, isThere, sending) : null;
  }

  @Override
  public @Nullable Peer ofRank(int rank) {
    return rank == sender.info().id() ? this : null;
  }

  @Override
  public Future<Peer> find(String name) {
    return Future.succeededFuture(known(name));
  }

  @Override
  public Future<Boolean> isRegistered(Sender life, String node) {
    return Future.succeededFuture(isThere.test(life));
  }

  @Override
  public boolean isGone(Sender life) {
    return !isThere.test(life);
  }

  @Override
  public Future<Void> send(Sender to, Frame frame) {
    return sending.apply(to, frame);
  }

  @Override
  public void heard(Sender from) {}

  @Override
  public void refuse(Sender gone) {}
}
