// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.cluster;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.vertx.core.VertxOptions;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.transport.Transport;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The transport of one clustered Vertx, whose event bus hears members of the cluster only: each
/// connection to it meets a [Doorkeeper]. Vert.x itself believes any length that a stranger
/// announces, and has no option for it.
///
/// The event bus's is the first TCP server that a clustered Vertx opens, before anyone has it to
/// open another; no server after it is guarded.
///
/// @param base does all the rest
/// @param isMember whether a node of this name is in the cluster; called on an event loop
public record GuardedTransport(Transport base, Predicate<String> isMember) implements Transport {
  /// Guards what Vert.x would take by these options.
  public static GuardedTransport of(VertxOptions options, Predicate<String> isMember) {
    Transport preferred = options.getPreferNativeTransport() ? Transport.nativeTransport() : null;
    return preferred != null && preferred.available()
        ? new GuardedTransport(preferred, isMember)
        : new GuardedTransport(Transport.NIO, isMember);
  }

  @Override
  public String name() {
    return base.name();
  }

  @Override
  public boolean available() {
    return base.available();
  }

  @Override
  public @Nullable Throwable unavailabilityCause() {
    return base.unavailabilityCause();
  }

  @Override
  public io.vertx.core.spi.transport.Transport implementation() {
    Class<io.vertx.core.spi.transport.Transport> type = io.vertx.core.spi.transport.Transport.class;
    return type.cast(
        Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, new Guard()));
  }

  /// A proxy, since the interface has many methods, of which one matters here.
  private final class Guard implements InvocationHandler {
    private final io.vertx.core.spi.transport.Transport implementation = base.implementation();
    private final AtomicBoolean isOpened = new AtomicBoolean();

    @Override
    public @Nullable Object invoke(
        Object proxy, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
      if (arguments != null
          && arguments[0] instanceof NetServerOptions
          && arguments[arguments.length - 1] instanceof ServerBootstrap server
          && isOpened.compareAndSet(false, true)) {
        server.handler(new Entrance(new WaitingRoom(), isMember));
      }
      try {
        return method.invoke(implementation, arguments);
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }
  }

  /// Sits at the server and sees each new connection first.
  private static final class Entrance extends ChannelInboundHandlerAdapter {
    private final WaitingRoom room;
    private final Predicate<String> isMember;

    private Entrance(WaitingRoom room, Predicate<String> isMember) {
      this.room = room;
      this.isMember = isMember;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object connection) {
      ((Channel) connection).pipeline().addLast(new Doorkeeper(room, isMember));
      context.fireChannelRead(connection);
    }
  }
}
