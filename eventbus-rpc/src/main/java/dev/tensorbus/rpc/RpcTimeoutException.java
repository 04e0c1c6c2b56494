// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import java.time.Duration;

/// Thrown when no answer arrived in time. The method may have run, or may still be running, unless
/// the callee was not even found.
public final class RpcTimeoutException extends RpcException {
  private static final long serialVersionUID = 1L;

  /// Creates an exception for a call that a worker did not answer within the given time.
  public RpcTimeoutException(String worker, String function, Duration waited) {
    super(worker + " did not answer " + function + " within " + seconds(waited), null, true);
  }

  /// Creates an exception with a message that says what did not happen in time.
  public RpcTimeoutException(String message) {
    super(message, null, true);
  }

  /// Creates an exception for a worker that was not found in time: the method has not run.
  public static RpcTimeoutException notFound(String worker, String function, Duration waited) {
    return new RpcTimeoutException(
        "worker \""
            + worker
            + "\" could not be looked up within "
            + seconds(waited)
            + "; "
            + function
            + " has not run",
        false);
  }

  private RpcTimeoutException(String message, boolean mayHaveRun) {
    super(message, null, mayHaveRun);
  }

  private static String seconds(Duration duration) {
    double seconds = duration.toNanos() / 1e9;
    return seconds == Math.rint(seconds) ? (long) seconds + " s" : seconds + " s";
  }
}
