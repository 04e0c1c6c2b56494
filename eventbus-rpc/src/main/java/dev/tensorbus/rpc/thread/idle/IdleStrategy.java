// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.idle;

/// How a thread waits: it polls for work, and idles when there is none. Like Agrona's interface of
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

  /// Waits briefly, a millisecond or so at most.
  void idle();

  /// Resets the wait: there was work, or the wait begins.
  void reset();

  /// Ends the wait.
  @Override
  default void close() {}
}
