// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph;

import org.jspecify.annotations.Nullable;

/// The context that a thread or a call records in. Only its number travels with every call; a
/// worker gets a part of it, a [WorkerContext], with the first tensor whose gradient is to come
/// back through that worker.
///
/// @param contexts the contexts of this worker
/// @param id the context's id, the same on every worker
public record Recording(Contexts contexts, long id) {
  /// This worker's part, or null if it has none.
  @Nullable WorkerContext part() {
    return contexts.find(id);
  }

  /// This worker's part, made if there is none yet; null if the context is over.
  public @Nullable WorkerContext demand() {
    return contexts.demand(id);
  }
}
