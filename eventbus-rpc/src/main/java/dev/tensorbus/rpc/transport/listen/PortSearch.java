// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.listen;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.util.concurrent.Future;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// Binds a server to the first free port of several. It tries to bind each port instead of checking
/// first, since another process could take the port in between.
public final class PortSearch extends ChannelOutboundHandlerAdapter {
  private final int[] ports;

  PortSearch(int... ports) {
    this.ports = ports.clone();
  }

  /// All ports were taken.
  private static final class Exhausted extends BindException {
    private static final long serialVersionUID = 1;

    Exhausted(Throwable last) {
      super("all ports are taken: " + last.getMessage());
      initCause(last);
    }
  }

  /// Returns whether an event bus failed to start because all its ports were taken.
  public static boolean hasFailed(@Nullable Throwable error) {
    return error != null && (error instanceof Exhausted || hasFailed(error.getCause()));
  }

  @Override
  public void bind(ChannelHandlerContext context, SocketAddress place, ChannelPromise promise) {
    new Search(context, ((InetSocketAddress) place).getAddress(), promise).tryPort(0);
  }

  private final class Search {
    private final ChannelHandlerContext context;
    private final InetAddress host;
    private final ChannelPromise promise;

    Search(ChannelHandlerContext context, InetAddress host, ChannelPromise promise) {
      this.context = context;
      this.host = host;
      this.promise = promise;
    }

    void tryPort(int index) {
      ChannelFuture _ =
          context
              .bind(new InetSocketAddress(host, ports[index]))
              .addListener(bound -> settle(bound, index));
    }

    private void settle(Future<? super Void> bound, int index) {
      if (bound.isSuccess()) {
        promise.setSuccess();
      } else if (index + 1 < ports.length) {
        tryPort(index + 1);
      } else {
        promise.setFailure(new Exhausted(bound.cause()));
      }
    }
  }
}
