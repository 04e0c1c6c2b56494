// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import org.jspecify.annotations.Nullable;

/// Thrown when the workers of a world could not meet: an address, a rank or a name is taken, or a
/// worker did not join in time.
public final class RendezvousException extends RpcException {
  private static final long serialVersionUID = 1L;

  /// Creates an exception that says why this worker cannot join its world.
  public RendezvousException(String message, @Nullable Throwable cause) {
    super(message, cause, false);
  }
}
