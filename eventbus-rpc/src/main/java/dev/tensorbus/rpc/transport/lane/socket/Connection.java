// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.lane.socket;

import dev.tensorbus.rpc.thread.idle.IdleStrategies;
import dev.tensorbus.rpc.transport.listen.Certificates;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/// A connection for tensors between two workers, encrypted if their world has certificates. One
/// thread may read while another one writes.
public final class Connection implements Closeable {
  /// Four TLS records.
  private static final int WRITTEN_AT_ONCE = 1 << 16;

  private final SocketChannel channel;

  /// Encrypts, or null.
  private final @Nullable SSLSocket tls;

  private byte[] writing = new byte[0];

  private Connection(SocketChannel channel, @Nullable SSLSocket tls) {
    this.channel = channel;
    this.tls = tls;
  }

  /// Uses a connected channel. The TLS handshake begins with the first byte that is read or
  /// written.
  ///
  /// @param certificates the certificates of this process, or null without encryption
  /// @param isConnector whether this end has opened the connection
  static Connection of(
      SocketChannel channel, @Nullable Certificates certificates, boolean isConnector)
      throws IOException {
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    return new Connection(
        channel, certificates == null ? null : certificates.socket(channel.socket(), isConnector));
  }

  /// Returns a stream of what the other end sends, whose reads obey [#setReadTimeout].
  InputStream stream() throws IOException {
    return tls == null ? channel.socket().getInputStream() : tls.getInputStream();
  }

  /// Limits the reads of [#stream].
  ///
  /// @param millis the limit; 0 for none
  void setReadTimeout(int millis) throws IOException {
    channel.socket().setSoTimeout(millis);
  }

  /// Returns a channel of what the other end sends, without a timeout.
  ReadableByteChannel input(IdleStrategies strategies) throws IOException {
    return tls == null
        ? strategies.forReaderOf(channel)
        : Channels.newChannel(tls.getInputStream());
  }

  /// Sends all bytes of a buffer. Blocks. Must not be called concurrently.
  void write(ByteBuffer bytes) throws IOException {
    if (tls == null) {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      return;
    }
    if (writing.length == 0) {
      writing = new byte[WRITTEN_AT_ONCE];
    }
    while (bytes.hasRemaining()) {
      int count = Math.min(bytes.remaining(), writing.length);
      bytes.get(writing, 0, count);
      tls.getOutputStream().write(writing, 0, count);
    }
  }

  /// Ends the connection at once, also for a thread that reads or writes. There is no farewell of
  /// TLS, since each message tells its length.
  @Override
  public void close() throws IOException {
    channel.close();
  }
}
