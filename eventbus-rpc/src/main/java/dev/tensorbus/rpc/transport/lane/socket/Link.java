// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.lane.socket;

import dev.tensorbus.rpc.thread.Threads;
import java.nio.ByteBuffer;

/// A connection, as far as slots are concerned.
interface Link {
  /// Notes bytes that are to be sent after those noted before. They must not change until the
  /// other side has answered. Does not wait.
  void add(ByteBuffer bytes);

  /// Sends what is noted. Waits until the other side has room; if the connection is lost, nothing
  /// happens.
  void flush();

  /// Lets another thread do so.
  default void flushSoon() {
    Threads.system().start("tensorbus-lane-flush", this::flush);
  }

  /// Ends the connection.
  void close();
}
