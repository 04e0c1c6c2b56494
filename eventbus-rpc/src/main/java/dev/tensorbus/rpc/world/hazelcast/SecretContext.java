// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.hazelcast;

import com.hazelcast.instance.EndpointQualifier;
import com.hazelcast.instance.impl.DefaultNodeContext;
import com.hazelcast.instance.impl.DefaultNodeExtension;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.instance.impl.NodeExtension;
import com.hazelcast.internal.networking.Channel;
import com.hazelcast.internal.networking.ChannelInitializer;
import com.hazelcast.internal.networking.HandlerStatus;
import com.hazelcast.internal.networking.InboundHandler;
import com.hazelcast.internal.networking.OutboundHandler;
import com.hazelcast.internal.nio.IOUtil;
import com.hazelcast.internal.server.ServerContext;
import dev.tensorbus.rpc.transport.listen.Secret;
import dev.tensorbus.rpc.transport.listen.SecretHandshake;
import dev.tensorbus.rpc.transport.listen.WaitingRoom;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Lets Hazelcast read and write nothing on a connection before both ends have proved that they
/// know a secret. A connection that takes longer than [#PATIENCE_SECONDS] is closed. Until then it
/// costs two small buffers.
///
/// Hazelcast's public API has no hook for this, so internal classes are used, as Hazelcast
/// Enterprise does for TLS.
final class SecretContext extends DefaultNodeContext {
  private static final System.Logger LOG = System.getLogger(SecretContext.class.getName());
  private static final long PATIENCE_SECONDS = 5;

  private final Secret secret;
  private final WaitingRoom<Channel> room =
      new WaitingRoom<>(WaitingRoom.SEATS, IOUtil::closeResource);

  SecretContext(Secret secret) {
    this.secret = secret;
  }

  @Override
  public NodeExtension createNodeExtension(Node node) {
    return new DefaultNodeExtension(node) {
      @Override
      public Function<EndpointQualifier, ChannelInitializer> createChannelInitializerFn(
          ServerContext context) {
        return super.createChannelInitializerFn(context)
            .andThen(hazelcasts -> channel -> initialize(channel, hazelcasts, node));
      }
    };
  }

  private void initialize(Channel channel, ChannelInitializer hazelcasts, Node node)
      throws Exception {
    SecretHandshake handshake = new SecretHandshake(secret, channel.isClientMode());
    Sender sender = new Sender(handshake.hello());
    channel.inboundPipeline().addLast(new Receiver(handshake, sender));
    hazelcasts.initChannel(channel);
    channel.outboundPipeline().addLast(sender);
    room.enter(channel);
    channel.addCloseListener(room::leave);
    node.getNodeEngine()
        .getExecutionService()
        .schedule(() -> closeIfUnknown(channel, sender), PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  private static void closeIfUnknown(Channel channel, Sender sender) {
    if (!sender.isVerified) {
      IOUtil.closeResource(channel);
    }
  }

  /// Reads the other end's hello and proof, and then removes itself. It reads not a byte more.
  private final class Receiver extends InboundHandler<ByteBuffer, ByteBuffer> {
    private final SecretHandshake handshake;
    private final Sender sender;
    private boolean hasHello;

    Receiver(SecretHandshake handshake, Sender sender) {
      this.handshake = handshake;
      this.sender = sender;
    }

    @Override
    public void handlerAdded() {
      initSrcBuffer(SecretHandshake.HELLO + SecretHandshake.PROOF);
    }

    @Override
    public HandlerStatus onRead() throws IOException {
      if (!hasHello && src.position() >= SecretHandshake.HELLO) {
        hasHello = true;
        sender.sendProof(handshake.prove(read(0, SecretHandshake.HELLO), channel.socket()));
      }
      if (!src.hasRemaining()) {
        verify(read(SecretHandshake.HELLO, SecretHandshake.PROOF));
        room.leave(channel);
        sender.finish();
        channel.inboundPipeline().remove(this);
      }
      return HandlerStatus.CLEAN;
    }

    private byte[] read(int from, int length) {
      byte[] bytes = new byte[length];
      src.get(from, bytes);
      return bytes;
    }

    private void verify(byte[] proof) throws IOException {
      try {
        handshake.verify(proof);
      } catch (SecretHandshake.StrangerException e) {
        LOG.log(Level.DEBUG, "{0} is refused: {1}", channel.remoteSocketAddress(), e.getMessage());
        throw e;
      }
    }
  }

  /// Sends this end's hello and proof, and removes itself when the other end has been verified.
  private static final class Sender extends OutboundHandler<ByteBuffer, ByteBuffer> {
    private final byte[] hello;
    private volatile byte @Nullable [] proof;
    private volatile boolean isVerified;

    Sender(byte[] hello) {
      this.hello = hello;
    }

    @Override
    public void handlerAdded() {
      initDstBuffer(SecretHandshake.HELLO + SecretHandshake.PROOF, hello);
    }

    /// Called on the receiver's thread.
    void sendProof(byte[] bytes) {
      proof = Arrays.copyOf(bytes, bytes.length);
      channel.outboundPipeline().wakeup();
    }

    /// Called on the receiver's thread.
    void finish() {
      isVerified = true;
      channel.outboundPipeline().wakeup();
    }

    @Override
    public HandlerStatus onWrite() {
      boolean mayFinish = isVerified; // before the proof is looked at, which precedes it
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
      if (!mayFinish) {
        return HandlerStatus.BLOCKED;
      }
      channel.outboundPipeline().remove(this);
      return HandlerStatus.CLEAN;
    }
  }
}
