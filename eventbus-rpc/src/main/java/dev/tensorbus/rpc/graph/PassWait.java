// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph;

import dev.tensorbus.rpc.FunctionName;
import dev.tensorbus.rpc.thread.idle.SpinThenPark;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// How the origin waits for the end of a backward pass.
///
/// @param waiting how the waiting thread spins and parks
/// @param timeout the maximum time for a worker to answer a message of a pass
public record PassWait(SpinThenPark waiting, Duration timeout) {
  private static final FunctionName BACKWARD = new FunctionName("a pass", "backward");

  /// The origin waits this much longer than other workers, so that their errors arrive first.
  private static final Duration GRACE = Duration.ofSeconds(1);

  /// Returns the maximum time to wait.
  Duration limit() {
    return timeout.plus(GRACE);
  }

  /// Waits for the end of a pass, and returns whether it ended in time.
  boolean await(Future<Void> end) {
    return waiting.await(BACKWARD, end, () -> endsInTime(end));
  }

  private boolean endsInTime(Future<Void> end) {
    try {
      end.await(limit().toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    }
  }
}
