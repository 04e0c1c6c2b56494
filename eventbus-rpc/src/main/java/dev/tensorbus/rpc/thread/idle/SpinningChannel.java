// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.idle;

import dev.tensorbus.rpc.thread.time.NanoClock;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;

/// A connection whose reader spins briefly before it sleeps in the operating system.
///
/// The operating system tends to wake a reader on the core of its sender, where the two would take
/// turns while another core is idle.
final class SpinningChannel implements ByteChannel {
  /// Slightly longer than a sender needs for a chunk.
  private static final long LONGEST_SPIN = TimeUnit.MICROSECONDS.toNanos(100);

  private final SocketChannel channel;
  private final NanoClock clock;

  SpinningChannel(SocketChannel channel, NanoClock clock) {
    this.channel = channel;
    this.clock = clock;
  }

  @Override
  public int read(ByteBuffer bytes) throws IOException {
    spin();
    return channel.read(bytes);
  }

  private void spin() throws IOException {
    InputStream stream = channel.socket().getInputStream();
    long start = clock.nanoTime();
    while (stream.available() == 0 && clock.nanoTime() - start < LONGEST_SPIN) {
      OsYield.yieldCore();
    }
  }

  @Override
  public int write(ByteBuffer bytes) throws IOException {
    return channel.write(bytes);
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
