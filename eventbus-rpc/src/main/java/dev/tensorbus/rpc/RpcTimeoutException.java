// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import java.time.Duration;

/// Nobody answered in time. The method may have run, or may still run.
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

  private static String seconds(Duration duration) {
    double seconds = duration.toNanos() / 1e9;
    return seconds == Math.rint(seconds) ? (long) seconds + " s" : seconds + " s";
  }
}
