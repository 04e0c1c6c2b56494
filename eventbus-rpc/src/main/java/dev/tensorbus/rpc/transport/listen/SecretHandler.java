// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.listen;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.PendingWriteQueue;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One end of a connection whose ends prove to each other that they know a [Secret] before anything
/// else is sent or passed on, as an `SslHandler` does with certificates. Keeps what is written
/// meanwhile, and removes itself afterwards. Closes the connection if the other end does not know
/// the secret, or does not prove in time that it does.
final class SecretHandler extends ChannelDuplexHandler {
  private static final System.Logger LOG = System.getLogger(SecretHandler.class.getName());

  private final SecretHandshake handshake;
  private final Duration patience;
  private final byte[] received = new byte[SecretHandshake.HELLO + SecretHandshake.PROOF];
  private int length;
  private boolean hasProved;
  private @Nullable PendingWriteQueue waiting;
  private @Nullable ScheduledFuture<?> limit;

  /// @param isConnector whether this end opens the connection
  /// @param patience how long the other end may take
  SecretHandler(Secret secret, boolean isConnector, Duration patience) {
    handshake = new SecretHandshake(secret, isConnector);
    this.patience = patience;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    waiting = new PendingWriteQueue(context);
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    send(context, handshake.hello());
    limit =
        context
            .executor()
            .schedule(() -> close(context), patience.toMillis(), TimeUnit.MILLISECONDS);
    context.fireChannelActive();
  }

  private static void close(ChannelHandlerContext context) {
    ChannelFuture _ = context.close();
  }

  private static void send(ChannelHandlerContext context, byte[] bytes) {
    ChannelFuture _ = context.writeAndFlush(Unpooled.wrappedBuffer(bytes));
  }

  /// Keeps a message, except for the empty one after which Vert.x closes a connection, if it has
  /// nothing to wait for.
  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    if (waiting().isEmpty() && message instanceof ByteBuf bytes && !bytes.isReadable()) {
      ChannelFuture _ = context.write(message, promise);
    } else {
      waiting().add(message, promise);
    }
  }

  private PendingWriteQueue waiting() {
    return Objects.requireNonNull(waiting);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) throws IOException {
    ByteBuf bytes = (ByteBuf) message;
    try {
      int taken = Math.min(bytes.readableBytes(), received.length - length);
      bytes.readBytes(received, length, taken);
      length += taken;
      if (!hasProved && length >= SecretHandshake.HELLO) {
        hasProved = true;
        send(context, prove(context));
      }
      if (length == received.length) {
        handshake.verify(Arrays.copyOfRange(received, SecretHandshake.HELLO, length));
        pass(context, bytes);
      }
    } finally {
      ReferenceCountUtil.release(bytes);
    }
  }

  private byte[] prove(ChannelHandlerContext context) throws IOException {
    byte[] hello = Arrays.copyOf(received, SecretHandshake.HELLO);
    InetSocketAddress own = (InetSocketAddress) context.channel().localAddress();
    InetSocketAddress other = (InetSocketAddress) context.channel().remoteAddress();
    return handshake.prove(hello, own.getPort(), other.getPort());
  }

  private void pass(ChannelHandlerContext context, ByteBuf rest) {
    ChannelFuture _ = waiting().removeAndWriteAll();
    context.pipeline().remove(this); // before the flush: the channel may become writable in it
    context.flush();
    if (rest.isReadable()) {
      context.fireChannelRead(rest.retain());
    }
  }

  /// Also called when the connection ends.
  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    waiting().removeAndFailAll(new ClosedChannelException());
    if (limit != null) {
      limit.cancel(false);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable error) {
    LOG.log(
        Level.DEBUG,
        () -> context.channel().remoteAddress() + " is refused: " + error.getMessage());
    close(context);
  }
}
