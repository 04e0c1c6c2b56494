// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.hazelcast;

import com.hazelcast.internal.networking.Channel;
import com.hazelcast.internal.networking.InboundHandler;
import com.hazelcast.internal.networking.OutboundHandler;
import java.io.IOException;
import java.nio.ByteBuffer;

/// Authenticates a connection of a Hazelcast member before Hazelcast reads or writes on it.
interface ConnectionGuard {
  /// Returns the first handler of what is received.
  InboundHandler<ByteBuffer, ByteBuffer> receiver();

  /// Returns the last handler of what is sent.
  OutboundHandler<ByteBuffer, ByteBuffer> sender();

  /// Returns whether the connection has passed.
  boolean isPassed();

  /// Creates guards.
  @FunctionalInterface
  interface Factory {
    /// Creates the guard of a connection.
    ///
    /// @param passed called when it has passed
    ConnectionGuard create(Channel channel, Runnable passed) throws IOException;
  }
}
