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
import dev.tensorbus.rpc.transport.listen.HostRates;
import dev.tensorbus.rpc.transport.listen.WaitingRoom;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/// Creates Hazelcast members whose connections pass a [ConnectionGuard]. A connection that takes
/// longer than [#PATIENCE_SECONDS] is closed, and so is the oldest one if more than
/// [WaitingRoom#SEATS] wait, and those of a host that opens too many.
///
/// Hazelcast's public API has no hook for this, so internal classes are used, as Hazelcast
/// Enterprise does for TLS.
final class GuardedContext extends DefaultNodeContext {
  private static final long PATIENCE_SECONDS = 5;

  private final ConnectionGuard.Factory guards;
  private final WaitingRoom<Channel> room =
      new WaitingRoom<>(WaitingRoom.SEATS, IOUtil::closeResource);
  private final HostRates rates = HostRates.ofStrangers();

  GuardedContext(ConnectionGuard.Factory guards) {
    this.guards = guards;
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
    boolean isTooMany = !channel.isClientMode() && !rates.admit(channel.remoteSocketAddress());
    ScheduledFuture<?> _ =
        node.getNodeEngine()
            .getExecutionService()
            .schedule(
                () -> closeIfWaiting(channel, guard),
                isTooMany ? 0 : PATIENCE_SECONDS,
                TimeUnit.SECONDS);
  }

  private static void closeIfWaiting(Channel channel, ConnectionGuard guard) {
    if (!guard.isPassed()) {
      IOUtil.closeResource(channel);
    }
  }
}
