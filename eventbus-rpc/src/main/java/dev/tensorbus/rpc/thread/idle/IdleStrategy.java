// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.idle;

/// Decides how a thread that polls for work idles when there is none. Like Agrona's interface of
/// the same name.
public interface IdleStrategy extends AutoCloseable {
  /// Idles if the last poll found no work, and resets otherwise.
  ///
  /// @param workCount the number of work items found
  default void idle(int workCount) {
    if (workCount > 0) {
      reset();
    } else {
      idle();
    }
  }

  /// Waits briefly, for about a millisecond at most.
  void idle();

  /// Resets the strategy, after work was found or before a new wait.
  void reset();

  /// Ends the wait.
  @Override
  default void close() {}
}
