// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.idle;

/// How one thread waits: it looks for work again and again, and idles when there is none. After
/// Agrona's interface of this name.
public interface IdleStrategy extends AutoCloseable {
  /// Idles if the last look found no work, and otherwise starts anew.
  ///
  /// @param workCount how much work it found
  default void idle(int workCount) {
    if (workCount > 0) {
      reset();
    } else {
      idle();
    }
  }

  /// Waits a little, a millisecond or so at most.
  void idle();

  /// Starts anew: there was work, or the wait begins.
  void reset();

  /// Ends the wait.
  @Override
  default void close() {}
}
