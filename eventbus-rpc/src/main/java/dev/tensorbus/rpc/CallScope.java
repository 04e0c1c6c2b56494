// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import io.vertx.core.Future;
import java.util.List;

/// A scope for the calls of a `try` block. Closing the scope waits until its `rpcAsync` calls have
/// ended and then closes its references. Like torch's `_wait_all`.
///
/// ```java
/// try (CallScope scope = rpc.scope()) {
///   RRef<Model> model = scope.remote("ps", Model::new);
///   for (String worker : workers) {
///     scope.rpcAsync(worker, Training::run, model);
///   }
/// } // all calls have ended; the model's reference is closed
/// ```
///
/// Any number of threads may use a scope. A closed scope rejects `rpcAsync` and `remote` calls.
public interface CallScope extends Calls, AutoCloseable {
  /// Returns an interface to the methods of one object, whose calls belong to this scope.
  <T> ObjectCalls<T> on(RRef<T> reference);

  /// Registers a reference to be closed with this scope, and returns it. References that `remote`
  /// creates through this scope are registered already.
  <T> RRef<T> keep(RRef<T> reference);

  /// Returns the futures that `rpcAsync` has returned through this scope so far.
  List<Future<?>> calls();

  /// Waits until every `rpcAsync` call of this scope has ended, then closes the scope's references.
  /// If a call fails, cancels the pending calls and throws the call's error at once; if the `try`
  /// block threw an exception itself, Java adds the call's error to that exception as suppressed.
  /// Must not be called on an event loop.
  @Override
  void close();
}
