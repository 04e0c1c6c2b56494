// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph;

import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.nn.ThreadModes;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The autograd context in which a thread or a remote call records tensors. Each call carries only
/// the context's id. A worker creates its part, a [WorkerContext], when it first sends or receives
/// a tracked tensor.
///
/// @param contexts the contexts of this worker
/// @param id the context's id, the same on every worker
/// @param caller the worker whose call brought the context here, or null if this worker opened the
///     context
public record Recording(Contexts contexts, long id, @Nullable String caller) {
  /// The scope of the running block of code, if bound. Inherited by structured forks.
  private static final ScopedValue<Scope> SCOPE = ScopedValue.newInstance();

  /// The context that this thread entered with [#enter], which is not limited to a block of code.
  private static final ThreadLocal<@Nullable Entered> ENTERED = new ThreadLocal<>();

  /// Returns the context that a received message names, or null if there is none or it is over.
  ///
  /// @param caller the worker that sent the message
  static @Nullable Recording arriving(Contexts contexts, GraphLink link, String caller) {
    return link.context() == 0 || contexts.isOver(link.context())
        ? null
        : new Recording(contexts, link.context(), caller);
  }

  /// Makes this thread record in this context until [#leave]. The context of a [#call] takes
  /// precedence while its body runs.
  public void enter() {
    ENTERED.set(new Entered(this, scope()));
  }

  /// Stops recording in a context on this thread, if the thread has entered it.
  public static void leave(long id) {
    Entered entered = ENTERED.get();
    if (entered != null && entered.recording.id == id) {
      ENTERED.remove();
    }
  }

  /// Runs `body` and its structured forks, recording in the given context even if this thread has
  /// entered another. If `recording` is null, they record in no context.
  public static <R, X extends Throwable> R call(
      @Nullable Recording recording, ScopedValue.CallableOp<? extends R, X> body) throws X {
    return ScopedValue.where(SCOPE, new Scope(recording)).call(body);
  }

  /// Runs a body without a result as [#call] does.
  public static void run(@Nullable Recording recording, Runnable body) {
    ScopedValue.where(SCOPE, new Scope(recording)).run(body);
  }

  /// Runs `body`, which sends control messages. They belong to no context and carry none of this
  /// thread's modes.
  public static <R> R outside(Supplier<R> body) {
    return call(null, () -> ThreadModes.NONE.call(body));
  }

  /// Returns the open context that this thread is in, even while `NoGrad` is on, or null. When a
  /// context is closed, all threads of the worker that opened it leave it.
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

  /// Returns the context that calls of this thread belong to, or null. Nothing is recorded within
  /// [NoGrad].
  public static @Nullable Recording current() {
    return NoGrad.isOn() ? null : entered();
  }

  /// Returns this worker's part, or null if it has none.
  @Nullable WorkerContext part() {
    return met(contexts.find(id));
  }

  /// Returns this worker's part, creating it if necessary, or null if the context is over.
  public @Nullable WorkerContext getOrCreate() {
    return met(contexts.getOrCreate(id));
  }

  /// Records the caller, which may notify this worker that the context is over.
  private @Nullable WorkerContext met(@Nullable WorkerContext part) {
    if (part != null && caller != null) {
      part.graph().addCaller(caller);
    }
    return part;
  }

  /// One invocation of [#call]. Not a record: two invocations differ even if they record in the
  /// same context.
  private static final class Scope {
    private final @Nullable Recording recording;

    private Scope(@Nullable Recording recording) {
      this.recording = recording;
    }
  }

  /// @param scope the scope that was bound when the context was entered, or null
  private record Entered(Recording recording, @Nullable Scope scope) {}
}
