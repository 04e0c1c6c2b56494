// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.lane.socket;

import io.netty.util.ReferenceCountUtil;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;

/// Encrypts a blocking channel by TLS. A record is decrypted into the reader's own buffer where it
/// fits. One thread may read while another one writes.
///
/// The end of a connection is that of the channel: there is no farewell of TLS, since each message
/// tells its length.
final class TlsChannel implements ByteChannel {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  /// The number of records that are sent by one system call. With 8, a sender encrypted at two
  /// thirds of the speed.
  private static final int RECORDS = 4;

  private final ByteChannel channel;
  private final SSLEngine engine;

  /// The size of the largest record. Its content is a little smaller.
  private final int recordBytes;

  /// Received records, and the start of a further one. Ready to be read.
  private final ByteBuffer received;

  /// Decrypted bytes that no reader had room for. Ready to be read.
  private final ByteBuffer decrypted;

  /// Records to send.
  private final ByteBuffer encrypted;

  private final AtomicBoolean isReleased = new AtomicBoolean();

  private TlsChannel(ByteChannel channel, SSLEngine engine) {
    this.channel = channel;
    this.engine = engine;
    recordBytes = engine.getSession().getPacketBufferSize();
    received = ByteBuffer.allocateDirect(RECORDS * recordBytes).flip();
    decrypted = ByteBuffer.allocateDirect(recordBytes).flip();
    encrypted = ByteBuffer.allocateDirect(RECORDS * recordBytes);
  }

  /// Returns an encrypted channel after a handshake with the other end. Blocks.
  ///
  /// @param engine one end of the connection, released when the channel is closed
  /// @throws SSLException if one end refuses the other one's certificate
  static TlsChannel connect(ByteChannel channel, SSLEngine engine) throws IOException {
    TlsChannel encrypted = new TlsChannel(channel, engine);
    try {
      engine.beginHandshake();
      encrypted.handshake();
      return encrypted;
    } catch (SSLException e) {
      boolean _ = encrypted.send(NOTHING); // tells the other end why
      encrypted.close();
      throw e;
    } catch (IOException e) {
      encrypted.close();
      throw e;
    }
  }

  /// Does what the engine needs before it can encrypt or decrypt bytes.
  private void handshake() throws IOException {
    while (true) {
      switch (engine.getHandshakeStatus()) {
        case NEED_TASK -> engine.getDelegatedTask().run();
        case NEED_WRAP -> write(NOTHING);
        case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
          int count = unwrap(decrypted.clear());
          decrypted.flip();
          if (count < 0) {
            throw new EOFException("it disconnected during the handshake");
          }
        }
        case FINISHED, NOT_HANDSHAKING -> {
          return;
        }
      }
    }
  }

  /// Returns 0 for a record that is part of TLS itself.
  @Override
  public int read(ByteBuffer bytes) throws IOException {
    if (decrypted.hasRemaining()) {
      return copyTo(bytes);
    }
    boolean hasRoom = bytes.remaining() >= recordBytes;
    int count = unwrap(hasRoom ? bytes : decrypted.clear());
    if (!hasRoom) {
      decrypted.flip();
    }
    if (count == 0) {
      handshake(); // answers an update of the keys (RFC 8446, section 4.6.3)
    }
    return hasRoom || count <= 0 ? count : copyTo(bytes);
  }

  private int copyTo(ByteBuffer bytes) {
    int count = Math.min(decrypted.remaining(), bytes.remaining());
    bytes.put(decrypted.slice(decrypted.position(), count));
    decrypted.position(decrypted.position() + count);
    return count;
  }

  /// Decrypts the records that have arrived, or else the next one. Returns the number of bytes,
  /// which is 0 for a record that is part of TLS itself, or -1 if the connection has ended.
  ///
  /// @param bytes has room for a record
  private int unwrap(ByteBuffer bytes) throws IOException {
    int start = bytes.position();
    while (true) {
      SSLEngineResult result = engine.unwrap(received, bytes);
      int count = bytes.position() - start;
      switch (result.getStatus()) {
        case CLOSED -> {
          return -1;
        }
        case BUFFER_OVERFLOW -> {
          return count;
        }
        case BUFFER_UNDERFLOW -> {
          if (count > 0 || result.getHandshakeStatus() == HandshakeStatus.FINISHED) {
            return count;
          }
          if (!receive()) {
            return -1;
          }
        }
        case OK -> {
          boolean isTls = result.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING;
          if (isTls || (count > 0 && bytes.remaining() < recordBytes)) {
            return count;
          }
        }
      }
    }
  }

  private boolean receive() throws IOException {
    received.compact();
    try {
      return channel.read(received) >= 0;
    } finally {
      received.flip();
    }
  }

  /// Sends all bytes of a buffer.
  @Override
  public int write(ByteBuffer bytes) throws IOException {
    int start = bytes.position();
    do {
      if (!send(bytes)) {
        throw new SSLException("the TLS connection is closed");
      }
    } while (bytes.hasRemaining());
    return bytes.position() - start;
  }

  /// Sends some records, even of an empty buffer. Returns whether more can be sent.
  private synchronized boolean send(ByteBuffer bytes) throws IOException {
    SSLEngineResult result;
    encrypted.clear();
    do {
      result = engine.wrap(bytes, encrypted);
    } while (bytes.hasRemaining() && result.getStatus() == Status.OK);
    for (encrypted.flip(); encrypted.hasRemaining(); ) {
      int _ = channel.write(encrypted);
    }
    return result.getStatus() != Status.CLOSED;
  }

  @Override
  public boolean isOpen() {
    return channel.isOpen();
  }

  @Override
  public void close() throws IOException {
    try {
      channel.close();
    } finally {
      if (isReleased.compareAndSet(false, true)) {
        ReferenceCountUtil.release(engine);
      }
    }
  }
}
