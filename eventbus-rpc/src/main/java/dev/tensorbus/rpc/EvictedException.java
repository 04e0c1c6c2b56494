// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

/// Thrown when this worker was silent for so long that its world continues without it, or when its
/// Hazelcast member was shut down. Every later operation on the world fails with this exception;
/// restart the worker.
public final class EvictedException extends RpcException {
  private static final long serialVersionUID = 1L;

  /// Creates an exception that says why this worker is no longer in its world.
  public EvictedException(String message, boolean mayHaveRun) {
    super(message, null, mayHaveRun);
  }
}
