// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.listen;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.CorruptedFrameException;
import io.netty.util.concurrent.ScheduledFuture;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Admits a connection to the event bus once the first message names a member of the cluster as its
/// sender. This handler then removes itself and passes on the bytes that it has read. It closes a
/// connection that does not name a member in time, or that sends anything but a message. Until a
/// connection is admitted, it costs at most [#MOST] bytes and one read system call.
///
/// Node ids are random, and only members know them.
final class MemberCheck extends ByteToMessageDecoder {
  /// The maximum size of a message up to and including its sender, in bytes. The sender follows two
  /// addresses, which are short.
  static final int MOST = 1 << 14;

  private static final System.Logger LOG = System.getLogger(MemberCheck.class.getName());

  /// The interval between lookups of an unknown sender. A new member's message may arrive before
  /// the notification that it has joined.
  private static final long LOOK_AGAIN_MILLIS = 20;

  private static final int BEFORE_CODEC = Integer.BYTES + Byte.BYTES;
  private static final byte NAMED_CODEC = -1;

  private final WaitingRoom<Channel> room;
  private final Predicate<String> isMember;
  private final Duration patience;
  private @Nullable ScheduledFuture<?> limit;

  /// @param patience how long the other end may take
  MemberCheck(WaitingRoom<Channel> room, Predicate<String> isMember, Duration patience) {
    this.room = room;
    this.isMember = isMember;
    this.patience = patience;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    room.enter(context.channel());
    limit =
        context
            .executor()
            .schedule(() -> refuse(context), patience.toMillis(), TimeUnit.MILLISECONDS);
    context.fireChannelActive();
  }

  @Override
  protected void handlerRemoved0(ChannelHandlerContext context) {
    room.leave(context.channel());
    if (limit != null) {
      limit.cancel(false);
    }
  }

  private static void refuse(ChannelHandlerContext context) {
    LOG.log(Level.DEBUG, "{0} is not a member of the cluster", context.channel().remoteAddress());
    ChannelFuture _ = context.close();
  }

  /// Overridden because the superclass would read more bytes while a name is being looked up.
  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    context.fireChannelReadComplete();
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf read, List<Object> out) {
    String sender = sender(read);
    if (sender != null) {
      context.channel().config().setAutoRead(false);
      await(context, sender);
    }
  }

  private void await(ChannelHandlerContext context, String sender) {
    if (context.isRemoved() || !context.channel().isOpen()) {
      return;
    }
    if (isMember.test(sender)) {
      context.pipeline().remove(this);
      context.channel().config().setAutoRead(true);
    } else {
      Runnable again = () -> await(context, sender);
      ScheduledFuture<?> _ =
          context.executor().schedule(again, LOOK_AGAIN_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  /// Returns the sender of the message at the reader index, or null if it has not arrived
  /// completely. A message starts with: length i32, version u8, codec u8 (followed by its name if
  /// it is 255), publish u8, address, reply address, sender. Strings are a length i32 and bytes.
  private static @Nullable String sender(ByteBuf message) {
    int start = message.readerIndex();
    int codec = start + BEFORE_CODEC;
    if (message.writerIndex() <= codec) {
      return null;
    }
    boolean isNamed = message.getByte(codec) == NAMED_CODEC;
    int publish = isNamed ? afterText(message, codec + 1) : codec + 1;
    int replyAddress = publish < 0 ? publish : afterText(message, publish + 1);
    int sender = afterText(message, replyAddress);
    int end = afterText(message, sender);
    if (end < 0) {
      return null;
    }
    int text = sender + Integer.BYTES;
    return message.toString(text, end - text, StandardCharsets.UTF_8);
  }

  /// Returns the end index (exclusive) of the string that starts at `at`, or -1 if the string is
  /// incomplete or `at` is negative.
  private static int afterText(ByteBuf message, int at) {
    if (at < 0 || message.writerIndex() < at + Integer.BYTES) {
      return -1;
    }
    int length = message.getInt(at);
    if (length < 0 || length > MOST - (at - message.readerIndex())) {
      throw new CorruptedFrameException("a name cannot have " + length + " bytes");
    }
    int end = at + Integer.BYTES + length;
    return message.writerIndex() < end ? -1 : end;
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable error) {
    LOG.log(
        Level.DEBUG,
        () -> context.channel().remoteAddress() + " did not send an event bus message: " + error);
    ChannelFuture _ = context.close();
  }
}
