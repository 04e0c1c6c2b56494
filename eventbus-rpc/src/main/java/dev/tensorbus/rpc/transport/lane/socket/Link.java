// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.lane.socket;

import dev.tensorbus.rpc.thread.Threads;
import java.nio.ByteBuffer;

/// The operations of a connection that slots need.
interface Link {
  /// Queues bytes to be sent. The buffer must not change until the other side has answered. Does
  /// not block.
  void add(ByteBuffer bytes);

  /// Sends the queued bytes. Blocks until the other side has capacity; does nothing if the
  /// connection is lost.
  void flush();

  /// Flushes on another thread.
  default void flushSoon() {
    Threads.system().start("tensorbus-lane-flush", this::flush);
  }

  void close();
}
