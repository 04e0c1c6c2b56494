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
import dev.tensorbus.rpc.transport.listen.WaitingRoom;
import java.io.EOFException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;

/// Creates Hazelcast members whose connections pass a [ConnectionGuard]. A connection that takes
/// longer than [#PATIENCE_SECONDS] is closed, and so is the oldest one if more than
/// [WaitingRoom#SEATS] wait.
///
/// Hazelcast's public API has no hook for this, so internal classes are used, as Hazelcast
/// Enterprise does for TLS.
final class GuardedContext extends DefaultNodeContext {
  private static final long PATIENCE_SECONDS = 5;

  private final ConnectionGuard.Factory guards;
  private final WaitingRoom<Channel> room =
      new WaitingRoom<>(WaitingRoom.SEATS, IOUtil::closeResource);
  private final Predicate<SocketAddress> mayTry;

  /// @param guards creates the guard of each connection
  /// @param mayTry returns whether another connection from an address may try to pass
  GuardedContext(ConnectionGuard.Factory guards, Predicate<SocketAddress> mayTry) {
    this.guards = guards;
    this.mayTry = mayTry;
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
    boolean isAllowed = channel.isClientMode() || mayTry.test(channel.remoteSocketAddress());
    ConnectionGuard guard =
        isAllowed ? guards.create(channel, () -> room.leave(channel)) : new Refusal();
    channel.inboundPipeline().addLast(guard.receiver());
    hazelcasts.initChannel(channel);
    channel.outboundPipeline().addLast(guard.sender());
    if (isAllowed) {
      room.enter(channel);
      channel.addCloseListener(room::leave);
    }
    ScheduledFuture<?> _ =
        node.getNodeEngine()
            .getExecutionService()
            .schedule(
                () -> closeIfWaiting(channel, guard),
                isAllowed ? PATIENCE_SECONDS : 0,
                TimeUnit.SECONDS);
  }

  private static void closeIfWaiting(Channel channel, ConnectionGuard guard) {
    if (!guard.isPassed()) {
      IOUtil.closeResource(channel);
    }
  }

  /// Ends a connection without an answer.
  private static final class Refusal implements ConnectionGuard {
    @Override
    public InboundHandler<ByteBuffer, ByteBuffer> receiver() {
      return new InboundHandler<>() {
        @Override
        public void handlerAdded() {
          initSrcBuffer(1);
        }

        @Override
        public HandlerStatus onRead() throws EOFException {
          throw new EOFException("too many connections of this host");
        }
      };
    }

    @Override
    public OutboundHandler<ByteBuffer, ByteBuffer> sender() {
      return new OutboundHandler<>() {
        @Override
        public void handlerAdded() {
          initDstBuffer(1);
        }

        @Override
        public HandlerStatus onWrite() {
          return HandlerStatus.BLOCKED;
        }
      };
    }

    @Override
    public boolean isPassed() {
      return false;
    }
  }
}
