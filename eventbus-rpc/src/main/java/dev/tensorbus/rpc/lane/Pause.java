// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.lane;

/// How a thread waits for the other side of a lane: it looks, and takes a pause, and looks again.
interface Pause extends AutoCloseable {
  /// Something has happened.
  void reset();

  /// Waits a little, a millisecond or so at most.
  void take();

  /// The thread waits no more.
  @Override
  void close();

  /// Lets other virtual threads have this one's carrier.
  @SuppressWarnings("ThreadPriorityCheck") // nothing is wrong if it does nothing
  static void letOthersRun() {
    Thread.yield();
  }
}
