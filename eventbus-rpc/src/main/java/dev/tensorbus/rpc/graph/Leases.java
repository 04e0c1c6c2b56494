// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph;

import dev.tensorbus.rpc.NoSuchWorkerException;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/// Finds contexts that are over though their end was not heard of: its message was lost, the
/// worker between died, or a call came after the end. A part that is older than most contexts
/// become asks the worker that opened its context, now and again.
final class Leases {
  private final Rpc rpc;
  private final Contexts contexts;

  Leases(Rpc rpc, Contexts contexts) {
    this.rpc = rpc;
    this.contexts = contexts;
  }

  void renew(Collection<WorkerContext> parts) {
    int self = rpc.self().id();
    parts.stream()
        .filter(part -> Numbers.giver(part.id()) != self && part.takeDue())
        .collect(
            Collectors.groupingBy(
                part -> Numbers.giver(part.id()),
                Collectors.mapping(WorkerContext::id, Collectors.toList())))
        .forEach(this::ask);
  }

  private void ask(int opener, List<Long> ids) {
    try {
      String name = rpc.worker(opener).name();
      Contexts.call(null, () -> rpc.rpcAsync(name, Leases::over, List.copyOf(ids)))
          .onSuccess(over -> over.forEach(contexts::release));
    } catch (NoSuchWorkerException e) {
      ids.forEach(contexts::release);
    }
  }

  /// Those of these contexts, which this worker opened, that it has closed.
  @Remote
  static List<Long> over(List<Long> ids) {
    Contexts contexts = Contexts.of(Rpc.current());
    return ids.stream().filter(contexts::isOver).toList();
  }
}
