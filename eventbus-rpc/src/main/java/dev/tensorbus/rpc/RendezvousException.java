// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import org.jspecify.annotations.Nullable;

/// The workers of a world could not meet: an address, a rank or a name is taken, or someone never
/// came.
public final class RendezvousException extends RpcException {
  private static final long serialVersionUID = 1L;

  /// Tells what keeps this worker out of its world.
  public RendezvousException(String message, @Nullable Throwable cause) {
    super(message, cause, false);
  }
}
