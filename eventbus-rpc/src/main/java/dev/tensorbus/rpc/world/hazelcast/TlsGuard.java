// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.hazelcast;

import com.hazelcast.internal.networking.Channel;
import com.hazelcast.internal.networking.HandlerStatus;
import com.hazelcast.internal.networking.InboundHandler;
import com.hazelcast.internal.networking.OutboundHandler;
import dev.tensorbus.rpc.transport.listen.Certificates;
import java.io.EOFException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// Encrypts a connection by TLS, and lets it pass when both ends have shown a certificate of the
/// world's authority.
///
/// Hazelcast reads and writes on different threads. Both use the engine under its lock; a handler
/// that needs the other one's turn wakes it.
final class TlsGuard implements ConnectionGuard {
  private static final System.Logger LOG = System.getLogger(TlsGuard.class.getName());
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
  private static final int RECORDS = 4;

  private static volatile String lastWarning = "";

  private final Channel channel;
  private final Runnable passed;
  private final SSLEngine engine;
  private final Receiver receiver = new Receiver();
  private final Sender sender = new Sender();
  private volatile boolean isPassed;

  /// Why the connection ends, after the other end has been told, or null.
  private volatile @Nullable SSLException failure;

  TlsGuard(Certificates certificates, Channel channel, Runnable passed) throws SSLException {
    this.channel = channel;
    this.passed = passed;
    engine = certificates.engine(channel.isClientMode());
    engine.beginHandshake();
  }

  @Override
  public InboundHandler<ByteBuffer, ByteBuffer> receiver() {
    return receiver;
  }

  @Override
  public OutboundHandler<ByteBuffer, ByteBuffer> sender() {
    return sender;
  }

  @Override
  public boolean isPassed() {
    return isPassed;
  }

  /// Returns what the engine needs next, after the tasks that it has. They take some milliseconds
  /// in a handshake, and none afterwards.
  private HandshakeStatus status() {
    while (engine.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
      engine.getDelegatedTask().run();
    }
    return engine.getHandshakeStatus();
  }

  private void note(SSLEngineResult result) {
    if (result.getHandshakeStatus() == HandshakeStatus.FINISHED) {
      passed.run();
      isPassed = true;
      channel.outboundPipeline().wakeup();
    }
  }

  /// Logs why a connection of this process has failed, once, since Hazelcast repeats it. Usually
  /// one end has a certificate of another authority, or none. Strangers may cause any number of
  /// errors at the other end.
  private SSLException explain(SSLException error) {
    String what = "no TLS with " + channel.remoteSocketAddress() + ": " + error.getMessage();
    boolean isNews = channel.isClientMode() && !what.equals(lastWarning);
    if (isNews) {
      lastWarning = what;
    }
    LOG.log(isNews ? Level.WARNING : Level.DEBUG, what);
    return error;
  }

  /// Decrypts.
  private final class Receiver extends InboundHandler<ByteBuffer, ByteBuffer> {
    /// The decrypted bytes that have not been passed on yet.
    private ByteBuffer plain = NOTHING;

    @Override
    public void handlerAdded() {
      initSrcBuffer(RECORDS * engine.getSession().getPacketBufferSize());
      plain = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize()).flip();
    }

    @Override
    public HandlerStatus onRead() throws EOFException {
      src.flip();
      try {
        synchronized (engine) {
          return decrypt();
        }
      } catch (SSLException e) {
        failure = e;
        channel.outboundPipeline().wakeup();
        return HandlerStatus.BLOCKED;
      } finally {
        src.compact();
      }
    }

    private HandlerStatus decrypt() throws SSLException, EOFException {
      while (true) {
        passOn();
        if (plain.hasRemaining()) {
          return HandlerStatus.DIRTY; // the next handler makes room
        }
        if (status() == HandshakeStatus.NEED_WRAP) {
          channel.outboundPipeline().wakeup();
          return HandlerStatus.BLOCKED;
        }
        if (!src.hasRemaining()) {
          return HandlerStatus.CLEAN;
        }
        plain.clear();
        SSLEngineResult result = engine.unwrap(src, plain);
        plain.flip();
        note(result);
        switch (result.getStatus()) {
          case BUFFER_UNDERFLOW -> {
            return HandlerStatus.CLEAN;
          }
          case CLOSED -> throw new EOFException("the other end has closed its TLS connection");
          case BUFFER_OVERFLOW -> throw new SSLException("a record is larger than announced");
          case OK -> {}
        }
      }
    }

    private void passOn() {
      int count = Math.min(plain.remaining(), dst.remaining());
      dst.put(plain.slice(plain.position(), count));
      plain.position(plain.position() + count);
    }
  }

  /// Encrypts.
  private final class Sender extends OutboundHandler<ByteBuffer, ByteBuffer> {
    @Override
    public void handlerAdded() {
      initDstBuffer(RECORDS * engine.getSession().getPacketBufferSize());
    }

    @Override
    public HandlerStatus onWrite() throws SSLException {
      dst.compact();
      try {
        synchronized (engine) {
          SSLException error = failure;
          return error == null ? encrypt() : alert(error);
        }
      } catch (SSLException e) {
        if (failure != null) {
          throw e;
        }
        failure = e;
        return HandlerStatus.DIRTY;
      } finally {
        dst.flip();
      }
    }

    /// Tells the other end why the connection ends.
    private HandlerStatus alert(SSLException error) throws SSLException {
      engine.closeOutbound();
      if (!engine.isOutboundDone()) {
        SSLEngineResult _ = engine.wrap(NOTHING, dst);
        return HandlerStatus.DIRTY;
      }
      if (dst.position() > 0) {
        return HandlerStatus.DIRTY; // until the alert has been sent
      }
      throw explain(error);
    }

    private HandlerStatus encrypt() throws SSLException {
      while (true) {
        HandshakeStatus status = status();
        boolean isHandshake = status == HandshakeStatus.NEED_WRAP;
        if (!isHandshake && !isPassed) {
          return HandlerStatus.BLOCKED; // until the receiver wakes this handler
        }
        if (!isHandshake && !src.hasRemaining()) {
          return HandlerStatus.CLEAN;
        }
        SSLEngineResult result = engine.wrap(isHandshake ? NOTHING : src, dst);
        note(result);
        if (isHandshake && status() != HandshakeStatus.NEED_WRAP) {
          channel.inboundPipeline().wakeup(); // which may have waited for this
        }
        switch (result.getStatus()) {
          case BUFFER_OVERFLOW -> {
            return HandlerStatus.DIRTY; // after what is there has been sent
          }
          case CLOSED -> throw new SSLException("the TLS connection is closed");
          case BUFFER_UNDERFLOW, OK -> {}
        }
      }
    }
  }
}
