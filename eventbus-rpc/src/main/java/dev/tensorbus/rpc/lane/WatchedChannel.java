// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.lane;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;

/// A connection whose reader looks for more for a moment before it sleeps. Whom the system wakes
/// for what has come, it likes to put on the core of the one who sent it; then both take turns
/// there, while another core is idle.
final class WatchedChannel implements ReadableByteChannel {
  /// As long as a sender takes for a chunk, or a little longer.
  private static final long MOMENT = TimeUnit.MICROSECONDS.toNanos(100);

  private final SocketChannel channel;

  WatchedChannel(SocketChannel channel) {
    this.channel = channel;
  }

  @Override
  public int read(ByteBuffer bytes) throws IOException {
    watch();
    return channel.read(bytes);
  }

  @SuppressWarnings("ThreadPriorityCheck") // nothing is wrong if it does nothing
  private void watch() throws IOException {
    InputStream stream = channel.socket().getInputStream();
    long start = System.nanoTime();
    while (stream.available() == 0 && System.nanoTime() - start < MOMENT) {
      Thread.yield();
    }
  }

  @Override
  public boolean isOpen() {
    return channel.isOpen();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
