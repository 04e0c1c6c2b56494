// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph.pass;

import io.vertx.core.Promise;
import org.jspecify.annotations.Nullable;

/// A worker's place in the tree that detects the end of a pass, after Dijkstra and Scholten
/// ("Termination detection for diffusing computations", 1980).
///
/// A message engages an idle worker. Its answer is delayed until the worker has nothing left to do
/// and every message that the worker sent is answered. Guarded by the lock of the pass.
final class Engagement {
  /// The answer to the message that engaged this worker.
  private volatile @Nullable Promise<Void> answer;

  private int unanswered;

  /// Returns whether the worker is engaged. Any thread.
  boolean isEngaged() {
    return answer != null;
  }

  /// Engages this worker.
  ///
  /// @param answer completed when the worker is idle again
  void begin(Promise<Void> answer) {
    this.answer = answer;
  }

  /// Counts messages that this worker sends.
  void sent(int messages) {
    unanswered += messages;
  }

  /// Records that a message of this worker is answered.
  void answered() {
    unanswered--;
  }

  /// Returns whether every message of this worker is answered.
  boolean isAllAnswered() {
    return unanswered == 0;
  }

  /// Answers the message that engaged this worker, if any.
  void end() {
    Promise<Void> waiting = answer;
    answer = null;
    if (waiting != null) {
      waiting.complete();
    }
  }

  /// Answers the message that engaged this worker, if any, with an error.
  void fail(Throwable cause) {
    Promise<Void> waiting = answer;
    answer = null;
    if (waiting != null) {
      waiting.fail(cause);
    }
  }
}
