// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph;

import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.nn.ThreadModes;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The context that a thread or a call records in. Only its id travels with every call. A worker
/// gets a part of it, a [WorkerContext], with the first tensor whose gradient is to come back
/// through that worker.
///
/// @param contexts the contexts of this worker
/// @param id the context's id, the same on every worker
/// @param caller the worker whose call brought it here, or null where it was opened
public record Recording(Contexts contexts, long id, @Nullable String caller) {
  /// Bound while a block of code runs. Structured forks inherit it.
  private static final ScopedValue<Scope> SCOPE = ScopedValue.newInstance();

  /// Entered for a time that no block of code encloses.
  private static final ThreadLocal<@Nullable Entered> ENTERED = new ThreadLocal<>();

  /// The context that an arriving message names, or null for none and for one that is over.
  ///
  /// @param caller the worker that the message comes from
  static @Nullable Recording arriving(Contexts contexts, GraphLink link, String caller) {
    return link.context() == 0 || contexts.isOver(link.context())
        ? null
        : new Recording(contexts, link.context(), caller);
  }

  /// Lets this thread record in this context until it leaves. A [#call] in between comes first.
  public void enter() {
    ENTERED.set(new Entered(this, scope()));
  }

  /// Lets this thread no longer record in a context, if it has entered that.
  public static void leave(long id) {
    Entered entered = ENTERED.get();
    if (entered != null && entered.recording.id == id) {
      ENTERED.remove();
    }
  }

  /// Runs `body` recording in this context, or in none. It does not matter what this thread records
  /// in otherwise. Structured forks of `body` record there too.
  public static <R, X extends Throwable> R call(
      @Nullable Recording recording, ScopedValue.CallableOp<? extends R, X> body) throws X {
    return ScopedValue.where(SCOPE, new Scope(recording)).call(body);
  }

  /// The same for what returns nothing.
  public static void run(@Nullable Recording recording, Runnable body) {
    ScopedValue.where(SCOPE, new Scope(recording)).run(body);
  }

  /// Runs `body`, which sends messages of our own: they belong to no context, and no mode of this
  /// thread travels with them.
  public static <R> R outside(Supplier<R> body) {
    return call(null, () -> ThreadModes.NONE.call(body));
  }

  /// The context that this thread is bound to, although it may not record now; or null. If any
  /// thread closes the context, all threads of the worker that opened it are unbound.
  public static @Nullable Recording entered() {
    Entered entered = ENTERED.get();
    Scope scope = scope();
    if (entered != null && entered.scope == scope) {
      if (entered.recording.isOpen()) {
        return entered.recording;
      }
      ENTERED.remove();
    }
    Recording bound = scope == null ? null : scope.recording;
    return bound != null && bound.isOpen() ? bound : null;
  }

  private static @Nullable Scope scope() {
    return SCOPE.isBound() ? SCOPE.get() : null;
  }

  private boolean isOpen() {
    return !contexts.hasClosed(id);
  }

  /// The context that calls of this thread belong to, or null: nothing is recorded in [NoGrad].
  public static @Nullable Recording current() {
    return NoGrad.isOn() ? null : entered();
  }

  /// This worker's part, or null if it has none.
  @Nullable WorkerContext part() {
    return met(contexts.find(id));
  }

  /// This worker's part. It is made if there is none yet; null if the context is over.
  public @Nullable WorkerContext getOrCreate() {
    return met(contexts.getOrCreate(id));
  }

  /// The caller may tell this worker of the end.
  private @Nullable WorkerContext met(@Nullable WorkerContext part) {
    if (part != null && caller != null) {
      part.graph().addCaller(caller);
    }
    return part;
  }

  /// One run of [#call]. It is no record: two runs differ, though they record in one context.
  private static final class Scope {
    private final @Nullable Recording recording;

    private Scope(@Nullable Recording recording) {
      this.recording = recording;
    }
  }

  /// @param scope the scope that was bound when this began, or null
  private record Entered(Recording recording, @Nullable Scope scope) {}
}
