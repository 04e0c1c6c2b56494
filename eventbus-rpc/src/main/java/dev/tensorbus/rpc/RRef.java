// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import io.vertx.core.Future;
import java.time.Duration;

/// Points at an object on the worker that owns it. After `torch.distributed.rpc.RRef`.
///
/// A reference may be passed in calls. The owner keeps the object until the last reference to it,
/// on whatever worker, is closed or garbage; see docs/references.md.
///
/// @param <T> the object's type
public interface RRef<T> extends ObjectCalls<T>, AutoCloseable {
  /// The worker that holds the object.
  WorkerInfo owner();

  /// Whether this worker holds the object.
  boolean isOwner();

  /// Done when the object exists; fails as its making failed.
  Future<Void> created();

  /// The object itself, without copying it.
  ///
  /// @throws IllegalStateException if this worker is not the owner
  T localValue();

  /// A copy of the object, from its owner; the object itself on the owner. Waits until it exists,
  /// for as long as a call may take.
  ///
  /// @throws RpcTimeoutException if it takes longer
  T toHere();

  /// The same, for this long at most.
  ///
  /// @throws RpcTimeoutException if it takes longer
  /// @throws IllegalArgumentException if the time is not positive
  T toHere(Duration timeout);

  /// Gives this reference up; the owner forgets the object when all are.
  @Override
  void close();
}
