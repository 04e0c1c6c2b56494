// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.hazelcast;

import com.hazelcast.internal.networking.Channel;
import com.hazelcast.internal.networking.HandlerStatus;
import com.hazelcast.internal.networking.InboundHandler;
import com.hazelcast.internal.networking.OutboundHandler;
import dev.tensorbus.rpc.transport.listen.Secret;
import dev.tensorbus.rpc.transport.listen.SecretHandshake;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Lets a connection pass when both ends have proved that they know a secret. Until then it costs
/// two small buffers; afterwards nothing, since both handlers have removed themselves.
final class SecretGuard implements ConnectionGuard {
  private static final System.Logger LOG = System.getLogger(SecretGuard.class.getName());

  private final SecretHandshake handshake;
  private final Runnable passed;
  private final Receiver receiver = new Receiver();
  private final Sender sender = new Sender();

  private volatile byte @Nullable [] proof;
  private volatile boolean isVerified;

  SecretGuard(Secret secret, Channel channel, Runnable passed) {
    this.passed = passed;
    handshake = new SecretHandshake(secret, channel.isClientMode());
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
    return isVerified;
  }

  /// Reads the other end's hello and proof, and not a byte more.
  private final class Receiver extends InboundHandler<ByteBuffer, ByteBuffer> {
    private boolean hasHello;

    @Override
    public void handlerAdded() {
      initSrcBuffer(SecretHandshake.HELLO + SecretHandshake.PROOF);
    }

    @Override
    public HandlerStatus onRead() throws IOException {
      if (!hasHello && src.position() >= SecretHandshake.HELLO) {
        hasHello = true;
        proof = handshake.prove(read(0, SecretHandshake.HELLO), channel.socket());
        channel.outboundPipeline().wakeup();
      }
      if (!src.hasRemaining()) {
        verify(read(SecretHandshake.HELLO, SecretHandshake.PROOF));
        passed.run();
        isVerified = true;
        channel.outboundPipeline().wakeup();
        channel.inboundPipeline().remove(this);
      }
      return HandlerStatus.CLEAN;
    }

    private byte[] read(int from, int length) {
      byte[] bytes = new byte[length];
      src.get(from, bytes);
      return bytes;
    }

    private void verify(byte[] bytes) throws IOException {
      try {
        handshake.verify(bytes);
      } catch (SecretHandshake.StrangerException e) {
        LOG.log(Level.DEBUG, "{0} is refused: {1}", channel.remoteSocketAddress(), e.getMessage());
        throw e;
      }
    }
  }

  /// Sends this end's hello and proof.
  private final class Sender extends OutboundHandler<ByteBuffer, ByteBuffer> {
    @Override
    public void handlerAdded() {
      initDstBuffer(SecretHandshake.HELLO + SecretHandshake.PROOF, handshake.hello());
    }

    @Override
    public HandlerStatus onWrite() {
      boolean mayEnd = isVerified; // read before the proof, which is written before
      byte[] bytes = proof;
      dst.compact();
      if (bytes != null) {
        dst.put(bytes);
        proof = null;
      }
      dst.flip();
      if (dst.hasRemaining()) {
        return HandlerStatus.DIRTY;
      }
      if (!mayEnd) {
        return HandlerStatus.BLOCKED;
      }
      channel.outboundPipeline().remove(this);
      return HandlerStatus.CLEAN;
    }
  }
}
