// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import java.time.Duration;

/// Nobody answered in time. The method may have run, or may still run, unless its worker was not
/// even found.
public final class RpcTimeoutException extends RpcException {
  private static final long serialVersionUID = 1L;

  /// Tells who did not answer what, and how long was waited.
  public RpcTimeoutException(String worker, String function, Duration waited) {
    super(worker + " did not answer " + function + " within " + seconds(waited), null, true);
  }

  /// Tells what did not come about in time.
  public RpcTimeoutException(String message) {
    super(message, null, true);
  }

  /// Tells that a worker was not found in time: the method has not run.
  public static RpcTimeoutException notFound(String worker, String function, Duration waited) {
    return new RpcTimeoutException(
        "worker \""
            + worker
            + "\" is not known, and the cluster did not say within "
            + seconds(waited)
            + " where it is; "
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
