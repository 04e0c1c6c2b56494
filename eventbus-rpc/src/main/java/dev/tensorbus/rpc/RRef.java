// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import io.vertx.core.Future;
import java.time.Duration;

/// A reference to an object on the worker that owns it. Like `torch.distributed.rpc.RRef`.
///
/// A reference may be passed in calls. The owner keeps the object until the last reference to it,
/// on any worker, is closed or garbage-collected; see docs/references.md.
///
/// @param <T> the object's type
public interface RRef<T> extends ObjectCalls<T>, AutoCloseable {
  /// Returns the worker that holds the object.
  WorkerInfo owner();

  /// Returns whether this worker holds the object.
  boolean isOwner();

  /// Returns a future that completes when the object exists, and fails if its creation failed.
  Future<Void> created();

  /// Returns the object itself, without copying it.
  ///
  /// @throws IllegalStateException if this worker is not the owner
  T localValue();

  /// Fetches a copy of the object from its owner; on the owner, returns the object itself. Waits
  /// until the object exists, for at most the default timeout of a call.
  ///
  /// @throws RpcTimeoutException if the timeout expires
  T toHere();

  /// Fetches the object as [#toHere()] does, with another timeout.
  ///
  /// @throws RpcTimeoutException if the timeout expires
  /// @throws IllegalArgumentException if the timeout is not positive
  T toHere(Duration timeout);

  /// Closes this reference. The owner releases the object when all references are closed.
  @Override
  void close();
}
