// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.hazelcast;

import com.hazelcast.instance.EndpointQualifier;
import com.hazelcast.instance.impl.DefaultNodeContext;
import com.hazelcast.instance.impl.DefaultNodeExtension;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.instance.impl.NodeExtension;
import com.hazelcast.internal.networking.Channel;
import com.hazelcast.internal.networking.ChannelInitializer;
import com.hazelcast.internal.nio.IOUtil;
import com.hazelcast.internal.server.ServerContext;
import dev.tensorbus.rpc.transport.listen.WaitingRoom;
import java.net.SocketAddress;
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
    ConnectionGuard guard = guards.create(channel, () -> room.leave(channel));
    channel.inboundPipeline().addLast(guard.receiver());
    hazelcasts.initChannel(channel);
    channel.outboundPipeline().addLast(guard.sender());
    room.enter(channel);
    channel.addCloseListener(room::leave);
    boolean mayPass = channel.isClientMode() || mayTry.test(channel.remoteSocketAddress());
    ScheduledFuture<?> _ =
        node.getNodeEngine()
            .getExecutionService()
            .schedule(
                () -> closeIfWaiting(channel, guard),
                mayPass ? PATIENCE_SECONDS : 0,
                TimeUnit.SECONDS);
  }

  private static void closeIfWaiting(Channel channel, ConnectionGuard guard) {
    if (!guard.isPassed()) {
      IOUtil.closeResource(channel);
    }
  }
}
