// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.cluster;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.vertx.core.VertxOptions;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.transport.Transport;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The transport of one clustered Vertx, whose event bus hears members of the cluster only: each
/// connection to it meets a [Doorkeeper]. Vert.x itself believes any length that a stranger
/// announces, and has no option for it. Nor has it one for a range of ports, so that a
/// [PortSearch] finds one.
///
/// The event bus's is the first TCP server that a clustered Vertx opens, before anyone has it to
/// open another; no server after it is guarded.
///
/// @param base does all the rest
/// @param handlers of the server, in their order; each is used once
public record GuardedTransport(Transport base, List<ChannelHandler> handlers) implements Transport {
  /// Keeps a copy.
  public GuardedTransport {
    handlers = List.copyOf(handlers);
  }

  /// Guards what Vert.x would take by these options.
  ///
  /// @param isMember whether a node of this name is in the cluster; called on an event loop
  /// @param ports those to try, or none where the options have one
  public static GuardedTransport of(
      VertxOptions options, Predicate<String> isMember, int... ports) {
    Transport preferred = options.getPreferNativeTransport() ? Transport.nativeTransport() : null;
    Transport base = preferred != null && preferred.available() ? preferred : Transport.NIO;
    List<ChannelHandler> handlers = new ArrayList<>();
    if (ports.length > 0) {
      handlers.add(new PortSearch(ports));
    }
    if (!options.getEventBusOptions().isSsl()) { // its first bytes are no message
      handlers.add(new Entrance(new WaitingRoom(), isMember));
    }
    return new GuardedTransport(base, handlers);
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
        server.handler(new Handlers(handlers));
      }
      try {
        return method.invoke(implementation, arguments);
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }
  }

  /// Adds handlers to the server.
  private static final class Handlers extends ChannelInitializer<Channel> {
    private final List<ChannelHandler> handlers;

    private Handlers(List<ChannelHandler> handlers) {
      this.handlers = handlers;
    }

    @Override
    protected void initChannel(Channel server) {
      server.pipeline().addLast(handlers.toArray(ChannelHandler[]::new));
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
