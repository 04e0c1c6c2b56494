// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph;

import dev.tensorbus.rpc.call.Peer;
import dev.tensorbus.rpc.call.Peers;
import dev.tensorbus.rpc.graph.pass.AutogradPeers;
import java.util.Collection;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;

/// Detects contexts that ended without a notification to this worker: the notification was lost,
/// its sender died before sending it, or a call arrived after the end. If a part lives longer than
/// most contexts do, this worker periodically asks the opener whether the context is still open.
final class Leases {
  private final Peers peers;
  private final AutogradPeers calls;
  private final LongConsumer release;

  /// @param release handles each context that turns out to be over
  Leases(Peers peers, AutogradPeers calls, LongConsumer release) {
    this.peers = peers;
    this.calls = calls;
    this.release = release;
  }

  /// Asks about the parts that are due. Does not block.
  void renew(Collection<WorkerContext> parts) {
    int self = peers.self().sender().info().id();
    parts.stream()
        .filter(part -> IdGenerator.rankOf(part.id()) != self && part.takeDue())
        .collect(
            Collectors.groupingBy(
                part -> IdGenerator.rankOf(part.id()),
                Collectors.mapping(WorkerContext::id, Collectors.toList())))
        .forEach(this::ask);
  }

  private void ask(int opener, List<Long> ids) {
    Peer peer = peers.ofRank(opener);
    if (peer == null) {
      ids.forEach(release::accept);
    } else {
      String name = peer.sender().info().name();
      calls.closedContexts(name, ids).onSuccess(over -> over.forEach(release::accept));
    }
  }
}
