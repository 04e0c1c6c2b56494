// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.listen;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DatagramChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.AttributeKey;
import io.netty.util.concurrent.ScheduledFuture;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.ClientOptionsBase;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.transport.Transport;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Guards the connections of one clustered Vertx: wraps the Netty transport that Vert.x would
/// choose, and adds handlers to it.
///
/// - With certificates, both ends of connections of the event bus encrypt them. Vert.x could, but
///   it reads certificates only once, and it limits neither the number of silent strangers nor the
///   message length that an unencrypted one sends.
/// - With a secret, both ends prove to each other that they know it ([SecretHandler]).
/// - A connection to the event bus must pass a [MemberCheck].
/// - Vert.x has no option for a range of ports, so a [PortSearch] binds the event bus.
/// - [UnansweredConnection] limits silent connections to HTTP servers.
///
/// The event bus is the first TCP server that a clustered Vertx opens.
///
/// @param base the actual transport
/// @param handlers the handlers of the event bus's server, in order; each is used once
/// @param ends creates the first handler of an end of a connection of the event bus, which is given
///     whether it opens the connection; null for none
public record GuardedTransport(
    Transport base, List<ChannelHandler> handlers, @Nullable Function<Boolean, ChannelHandler> ends)
    implements Transport {
  /// Marks the client of the event bus. Vert.x copies its options from those of the event bus, and
  /// ignores protocols, since TLS is disabled there.
  static final String EVENT_BUS = "guarded by Tensorbus";

  private static final AttributeKey<Boolean> IS_EVENT_BUS =
      AttributeKey.valueOf(GuardedTransport.class, "isEventBus");

  /// Copies the list.
  public GuardedTransport {
    handlers = List.copyOf(handlers);
  }

  /// Wraps the transport that Vert.x would use with these options. With certificates, disables TLS
  /// of the event bus in them, which an application may have set.
  ///
  /// @param isMember returns whether a node with this id is in the cluster; called on an event loop
  /// @param certificates the certificates of this process, or null
  /// @param secret the secret that all members know, or null
  /// @param patience how long the other end of a connection of the event bus may take until it is
  ///     admitted: a process that is busy or stopped for less is alive
  /// @param ports the ports to try, or none if the options set one
  public static GuardedTransport of(
      VertxOptions options,
      Predicate<String> isMember,
      @Nullable Certificates certificates,
      @Nullable Secret secret,
      Duration patience,
      int... ports) {
    Transport preferred = options.getPreferNativeTransport() ? Transport.nativeTransport() : null;
    Transport base = preferred != null && preferred.available() ? preferred : Transport.NIO;
    EventBusOptions bus = options.getEventBusOptions();
    Function<Boolean, ChannelHandler> ends = ends(bus, certificates, secret, patience);
    if (ends != null) {
      bus.setSsl(false).setEnabledSecureTransportProtocols(Set.of(EVENT_BUS));
    }
    List<ChannelHandler> handlers = new ArrayList<>();
    if (ports.length > 0) {
      handlers.add(new PortSearch(ports));
    }
    if (!bus.isSsl()) { // with an application's TLS the first bytes are not a message
      WaitingRoom<Channel> room = new WaitingRoom<>(WaitingRoom.SEATS, GuardedTransport::close);
      handlers.add(new Entrance(() -> new MemberCheck(room, isMember, patience)));
    }
    if (ends != null) {
      handlers.addFirst(new Entrance(() -> ends.apply(false)));
    }
    if (certificates != null) {
      handlers.addFirst(new Turnstile(HostRates.ofStrangers()));
    }
    return new GuardedTransport(base, handlers, ends);
  }

  private static @Nullable Function<Boolean, ChannelHandler> ends(
      EventBusOptions bus,
      @Nullable Certificates certificates,
      @Nullable Secret secret,
      Duration patience) {
    if (certificates != null) {
      return isConnector -> {
        SslHandler handler = new SslHandler(certificates.engine(isConnector));
        handler.setHandshakeTimeoutMillis(patience.toMillis());
        return handler;
      };
    }
    return secret == null || bus.isSsl() // then an application's TLS authenticates both ends
        ? null
        : isConnector -> new SecretHandler(secret, isConnector, patience);
  }

  /// Closes a connection before its first handler: Vert.x, the last one, would first write what the
  /// others keep until the connection is admitted.
  private static void close(Channel connection) {
    ChannelHandlerContext first = connection.pipeline().firstContext();
    ChannelFuture _ = first == null ? connection.close() : first.close();
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

  /// A proxy, since only two of the interface's many methods matter here.
  private final class Guard implements InvocationHandler {
    private final io.vertx.core.spi.transport.Transport implementation = base.implementation();
    private final AtomicBoolean isOpened = new AtomicBoolean();

    @Override
    public @Nullable Object invoke(
        Object proxy, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
      if (arguments != null
          && arguments[0] instanceof NetServerOptions options
          && arguments[arguments.length - 1] instanceof ServerBootstrap server) {
        guard(options, server);
      }
      if (arguments != null
          && arguments[0] instanceof ClientOptionsBase options
          && arguments[arguments.length - 1] instanceof Bootstrap client
          && options.getEnabledSecureTransportProtocols().contains(EVENT_BUS)) {
        client.attr(IS_EVENT_BUS, true);
      }
      try {
        Object result = method.invoke(implementation, arguments);
        if (arguments == null && result instanceof DatagramChannel channel) {
          channel.pipeline().addFirst(new LateBinding());
        }
        return ends != null && method.getName().equals("channelFactory")
            ? guarding((ChannelFactory<?>) result, ends)
            : result;
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }

    private void guard(NetServerOptions options, ServerBootstrap server) {
      if (isOpened.compareAndSet(false, true)) {
        server.handler(new Handlers(handlers));
      } else if (options instanceof HttpServerOptions) {
        WaitingRoom<Channel> room =
            new WaitingRoom<>(UnansweredConnection.SEATS, GuardedTransport::close);
        Entrance entrance = new Entrance(() -> new UnansweredConnection(room));
        server.handler(
            new Handlers(
                options.isSsl()
                    ? List.of(new Turnstile(HostRates.ofStrangers()), entrance)
                    : List.of(entrance)));
      }
    }
  }

  /// Creates channels that guard connections of the event bus, and no others.
  private static ChannelFactory<Channel> guarding(
      ChannelFactory<?> channels, Function<Boolean, ChannelHandler> ends) {
    return () -> {
      Channel channel = channels.newChannel();
      channel
          .pipeline()
          .addFirst(
              new ChannelInitializer<>() {
                @Override
                protected void initChannel(Channel channel) {
                  if (channel.hasAttr(IS_EVENT_BUS)) {
                    channel.pipeline().addFirst(ends.apply(true));
                  }
                }
              });
      return channel;
    };
  }

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

  /// Closes the connections of a host that opens too many.
  static final class Turnstile extends ChannelInboundHandlerAdapter {
    private final HostRates rates;

    Turnstile(HostRates rates) {
      this.rates = rates;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object connection) {
      Channel accepted = (Channel) connection;
      if (rates.admit(accepted.remoteAddress())) {
        context.fireChannelRead(connection);
      } else {
        accepted.unsafe().closeForcibly();
      }
    }
  }

  /// Adds the first handler to each connection when the server channel accepts it.
  private static final class Entrance extends ChannelInboundHandlerAdapter {
    private final Supplier<ChannelHandler> keepers;

    /// @param keepers creates the first handler of each connection
    private Entrance(Supplier<ChannelHandler> keepers) {
      this.keepers = keepers;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object connection) {
      ((Channel) connection).pipeline().addLast(keepers.get());
      context.fireChannelRead(connection);
    }
  }

  /// Guards a connection to an HTTP server until the server writes something. Until then the
  /// connection occupies a seat in a [WaitingRoom], and is closed if it sends nothing within
  /// [#PATIENCE_SECONDS]. After that write, the server must limit the connection itself.
  static final class UnansweredConnection extends ChannelDuplexHandler {
    /// The capacity of each HTTP server's waiting room, which includes connections whose requests
    /// the server is still handling.
    static final int SEATS = 1024;

    /// Long, since browsers and gRPC clients may connect some time before their first request.
    static final long PATIENCE_SECONDS = 60;

    private final WaitingRoom<Channel> room;
    private boolean isHeard;

    UnansweredConnection(WaitingRoom<Channel> room) {
      this.room = room;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
      room.enter(context.channel());
      ScheduledFuture<?> _ =
          context
              .executor()
              .schedule(() -> closeIfSilent(context), PATIENCE_SECONDS, TimeUnit.SECONDS);
      context.fireChannelActive();
    }

    private void closeIfSilent(ChannelHandlerContext context) {
      if (!isHeard && !context.isRemoved()) {
        ChannelFuture _ = context.close();
      }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object bytes) {
      isHeard = true;
      context.fireChannelRead(bytes);
    }

    @Override
    public void write(ChannelHandlerContext context, Object answer, ChannelPromise promise) {
      context.pipeline().remove(this);
      ChannelFuture _ = context.write(answer, promise);
    }

    /// Also called when the connection ends.
    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
      room.leave(context.channel());
    }
  }

  /// Binds a datagram channel when its first datagram is sent. Netty's name resolver would
  /// otherwise bind one to all addresses of the machine at the first connection, even if no name is
  /// looked up.
  private static final class LateBinding extends ChannelDuplexHandler {
    private @Nullable SocketAddress wanted;

    @Override
    public void bind(ChannelHandlerContext context, SocketAddress address, ChannelPromise promise) {
      wanted = address;
      promise.setSuccess();
    }

    @Override
    public void write(ChannelHandlerContext context, Object datagram, ChannelPromise promise) {
      SocketAddress address = wanted;
      context.pipeline().remove(this);
      if (address != null) {
        ChannelFuture _ = context.bind(address); // before the datagram, on this event loop
      }
      ChannelFuture _ = context.write(datagram, promise);
    }
  }
}
