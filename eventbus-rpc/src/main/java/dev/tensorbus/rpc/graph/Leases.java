// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph;

import dev.tensorbus.rpc.NoSuchWorkerException;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.graph.pass.AutogradPeers;
import java.util.Collection;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;

/// Finds contexts that are over although this worker was not told: the message was lost, the worker
/// between died, or a call came after the end. A part that is older than most contexts become asks
/// the worker that opened its context, now and again.
final class Leases {
  private final WorkerInfo self;
  private final Transport transport;
  private final AutogradPeers peers;
  private final LongConsumer release;

  /// @param release takes each context that turns out to be over
  Leases(WorkerInfo self, Transport transport, AutogradPeers peers, LongConsumer release) {
    this.self = self;
    this.transport = transport;
    this.peers = peers;
    this.release = release;
  }

  /// Asks about the parts whose time has come. Does not block.
  void renew(Collection<WorkerContext> parts) {
    parts.stream()
        .filter(part -> IdGenerator.rankOf(part.id()) != self.id() && part.takeDue())
        .collect(
            Collectors.groupingBy(
                part -> IdGenerator.rankOf(part.id()),
                Collectors.mapping(WorkerContext::id, Collectors.toList())))
        .forEach(this::ask);
  }

  private void ask(int opener, List<Long> ids) {
    try {
      String name = transport.worker(opener).name();
      peers.closedContexts(name, ids).onSuccess(over -> over.forEach(release::accept));
    } catch (NoSuchWorkerException e) {
      ids.forEach(release::accept);
    }
  }
}
