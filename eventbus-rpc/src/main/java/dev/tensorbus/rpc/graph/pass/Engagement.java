// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph.pass;

import io.vertx.core.Promise;
import org.jspecify.annotations.Nullable;

/// A worker's node in the tree that detects the end of a pass (Dijkstra and Scholten, "Termination
/// detection for diffusing computations", 1980).
///
/// A message that an idle worker cannot answer immediately engages the worker. The worker answers
/// it after finishing its work and receiving the answers to all its own messages. Guarded by the
/// lock of the pass.
final class Engagement {
  /// The answer to the message that engaged this worker, or null if the worker is idle.
  private volatile @Nullable Promise<Void> answer;

  private int unanswered;

  /// Returns whether the worker is engaged. May be called on any thread.
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

  /// Records the answer to one of this worker's messages.
  void answered() {
    unanswered--;
  }

  /// Returns whether all of this worker's messages have been answered.
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
