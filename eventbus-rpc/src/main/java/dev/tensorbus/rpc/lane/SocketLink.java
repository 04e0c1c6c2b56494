// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.lane;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicInteger;

/// A connection of Vert.x.
final class SocketLink implements Link {
  private static final System.Logger LOG = System.getLogger(SocketLink.class.getName());

  /// Messages that have yet to leave: many times those that an honest peer can cause.
  private static final int MOST_UNSENT = 32 * Slots.COUNT;

  private final NetSocket socket;
  private final String peer;
  private final AtomicInteger unsent = new AtomicInteger();

  /// @param peer who is at the other end
  SocketLink(NetSocket socket, String peer) {
    this.socket = socket;
    this.peer = peer;
    socket.exceptionHandler(
        e -> LOG.log(Level.DEBUG, () -> "lost the connection for tensors with " + peer + ": " + e));
  }

  @Override
  public void send(Buffer bytes) {
    unsent.incrementAndGet();
    socket.write(bytes).onComplete(done -> unsent.decrementAndGet());
  }

  @Override
  public boolean isFull() {
    return unsent.get() > MOST_UNSENT;
  }

  @Override
  public void close() {
    socket.close();
  }

  @Override
  public void cut(String reason) {
    LOG.log(Level.WARNING, () -> "cut off " + peer + ", which sent tensors and said: " + reason);
    socket.close();
  }
}
