// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph;

import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.rpc.wire.GraphLink;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The context that a thread or a call records in. Only its id travels with every call. A worker
/// gets a part of it, a [WorkerContext], with the first tensor whose gradient is to come back
/// through that worker.
///
/// @param contexts the contexts of this worker
/// @param id the context's id, the same on every worker
public record Recording(Contexts contexts, long id) {
  private static final ThreadLocal<@Nullable Recording> CURRENT = new ThreadLocal<>();

  /// The context that an arriving message names, or null for none and for one that is over.
  public static @Nullable Recording arriving(Contexts contexts, GraphLink link) {
    return link.context() == 0 || contexts.isOver(link.context())
        ? null
        : new Recording(contexts, link.context());
  }

  /// Lets this thread record in a context, or in none.
  ///
  /// @return the context that it recorded in before, or null
  public static @Nullable Recording enter(@Nullable Recording recording) {
    Recording before = CURRENT.get();
    if (recording == null) {
      CURRENT.remove();
    } else {
      CURRENT.set(recording);
    }
    return before;
  }

  /// Runs `body` recording in this context, or in none. It does not matter what this thread records
  /// in otherwise.
  public static <R> R call(@Nullable Recording recording, Supplier<R> body) {
    Recording before = enter(recording);
    try {
      return body.get();
    } finally {
      enter(before);
    }
  }

  /// The context that this thread is bound to, although it may not record now; or null. If any
  /// thread closes the context, all threads of the worker that opened it are unbound.
  public static @Nullable Recording entered() {
    Recording entered = CURRENT.get();
    if (entered != null && entered.contexts.hasClosed(entered.id)) {
      CURRENT.remove();
      return null;
    }
    return entered;
  }

  /// The context that calls of this thread belong to, or null: nothing is recorded in [NoGrad].
  public static @Nullable Recording current() {
    return NoGrad.isOn() ? null : entered();
  }

  /// This worker's part, or null if it has none.
  @Nullable WorkerContext part() {
    return contexts.find(id);
  }

  /// This worker's part. It is made if there is none yet; null if the context is over.
  public @Nullable WorkerContext getOrCreate() {
    return contexts.getOrCreate(id);
  }
}
