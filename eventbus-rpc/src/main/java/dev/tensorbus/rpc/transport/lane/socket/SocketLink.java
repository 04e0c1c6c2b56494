// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.lane.socket;

import dev.tensorbus.rpc.WireException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ReadableByteChannel;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;

/// A connection whose ends queue what they send.
public final class SocketLink implements Link {
  private static final System.Logger LOG = System.getLogger(SocketLink.class.getName());

  private final ByteChannel connection;
  private final String peer;
  private final Queue<ByteBuffer> unsent = new ConcurrentLinkedQueue<>();
  private final ReentrantLock sending = new ReentrantLock();

  /// @param peer the name of the worker at the other end
  public SocketLink(ByteChannel connection, String peer) {
    this.connection = connection;
    this.peer = peer;
  }

  /// Handles received bytes.
  public interface Reader {
    /// Reads until the connection ends.
    ///
    /// @throws WireException if the bytes are invalid
    void read(ReadableByteChannel channel) throws IOException;
  }

  /// Runs `reader` until the connection ends. Disconnects a peer that violates the protocol.
  /// Blocks, and must run on a platform thread.
  public void read(Reader reader) {
    try {
      reader.read(connection);
    } catch (WireException e) {
      LOG.log(Level.WARNING, "disconnected {0}, invalid tensors: {1}", peer, e.getMessage());
    } catch (IOException e) {
      lost(e);
    } finally {
      close();
    }
  }

  @Override
  public void add(ByteBuffer bytes) {
    unsent.add(bytes);
  }

  @Override
  public void flush() {
    sending.lock();
    try {
      for (ByteBuffer bytes = unsent.poll(); bytes != null; bytes = unsent.poll()) {
        while (bytes.hasRemaining()) {
          int _ = connection.write(bytes);
        }
      }
    } catch (IOException e) {
      lost(e);
      close();
    } finally {
      sending.unlock();
    }
  }

  private void lost(IOException e) {
    LOG.log(Level.DEBUG, () -> "lost the connection for tensors with " + peer + ": " + e);
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (IOException e) {
      lost(e);
    }
  }
}
