// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

/// This worker was silent for so long that its world goes on without it, or its Hazelcast member
/// was shut down. Everything that it asks of its world ends so from then on; the cure is to start
/// it anew.
public final class EvictedException extends RpcException {
  private static final long serialVersionUID = 1L;

  /// Tells why this worker is out of its world.
  public EvictedException(String message, boolean mayHaveRun) {
    super(message, null, mayHaveRun);
  }
}
