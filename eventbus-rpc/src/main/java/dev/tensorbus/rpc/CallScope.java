// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import io.vertx.core.Future;
import java.util.List;

/// Calls that all end with a block, and references that end with it. After torch's `_wait_all`.
///
/// ```java
/// try (CallScope scope = rpc.scope()) {
///   RRef<Model> model = scope.remote("ps", Model::new);
///   for (String worker : workers) {
///     scope.rpcAsync(worker, Training::run, model);
///   }
/// } // all have ended; the model's reference is closed
/// ```
///
/// Any number of threads may use a scope. Once it is closed it takes no call.
public interface CallScope extends Calls, AutoCloseable {
  /// The same calls of one object's methods.
  <T> ObjectCalls<T> on(RRef<T> reference);

  /// Closes a reference with this scope, and returns it. Those that `remote` makes through this
  /// scope need no such word.
  <T> RRef<T> keep(RRef<T> reference);

  /// The futures that `rpcAsync` has given through this scope so far.
  List<Future<?>> calls();

  /// Waits until every `rpcAsync` of this scope has ended, then closes its references. When one
  /// fails, that error is thrown at once, and the calls that have not ended are given up. An
  /// error of the block itself stays the one that is thrown, with the call's as suppressed. Not
  /// for event loops.
  @Override
  void close();
}
