// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.listen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.rpc.World;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// First messages on connections to the event bus.
class MemberCheckTest {
  private static final String MEMBER = "5f3c1d2e-member";
  private static final int MESSAGES = 100_000;
  private static final int MOST_CHANGES = 4;

  private final WaitingRoom<Channel> room = new WaitingRoom<>(WaitingRoom.SEATS, Channel::close);

  /// A message as Vert.x sends it, up to its sender and some more bytes.
  private static byte[] message(String sender) {
    ByteBuf message = Unpooled.buffer().writeInt(200).writeByte(1).writeByte(8).writeByte(0);
    for (String text : new String[] {"tensorbus.0.worker1", "", sender}) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      message.writeInt(bytes.length).writeBytes(bytes);
    }
    message.writeZero(30);
    byte[] bytes = new byte[message.readableBytes()];
    message.readBytes(bytes);
    return bytes;
  }

  /// A connection on which somebody has said something.
  private EmbeddedChannel connection(byte[] said) {
    EmbeddedChannel connection =
        new EmbeddedChannel(new MemberCheck(room, MEMBER::equals, World.PATIENCE));
    connection.writeInbound(Unpooled.wrappedBuffer(said));
    return connection;
  }

  private static boolean isAdmitted(EmbeddedChannel connection) {
    return connection.isOpen() && connection.pipeline().get(MemberCheck.class) == null;
  }

  @Test
  void aMemberIsAdmittedWithAllThatItHasSaid() {
    byte[] said = message(MEMBER);
    EmbeddedChannel connection = connection(said);
    assertThat(isAdmitted(connection)).isTrue();
    ByteBuf passedOn = connection.readInbound();
    assertThat(passedOn.readableBytes()).isEqualTo(said.length);
    connection.finishAndReleaseAll();
  }

  @Test
  void aStrangerWaits() {
    EmbeddedChannel connection = connection(message("5f3c1d2e-nobody"));
    assertThat(isAdmitted(connection)).isFalse();
    assertThat(connection.<ByteBuf>readInbound()).isNull();
    connection.finishAndReleaseAll();
  }

  /// What is damaged is admitted only if it still names the member, and passed on only then.
  @Test
  void aDamagedMessageAdmitsNobody() {
    long seed = new SplittableRandom().nextLong();
    System.out.println("seed " + seed);
    SplittableRandom random = new SplittableRandom(seed);
    byte[] stranger = message("5f3c1d2e-nobody");
    byte[] member = message(MEMBER);
    int refused = 0;
    for (int i = 0; i < MESSAGES; i++) {
      boolean isStranger = random.nextBoolean();
      byte[] said = (isStranger ? stranger : member).clone();
      for (int change = random.nextInt(1, MOST_CHANGES); change > 0; change--) {
        said[random.nextInt(said.length)] = (byte) random.nextInt();
      }
      EmbeddedChannel connection = connection(said);
      boolean isAdmitted = isAdmitted(connection);
      if (isStranger || !new String(said, StandardCharsets.ISO_8859_1).contains(MEMBER)) {
        assertThat(isAdmitted).isFalse();
        assertThat(connection.<ByteBuf>readInbound()).isNull();
      }
      refused += connection.isOpen() ? 0 : 1;
      connection.finishAndReleaseAll();
    }
    assertThat(refused).as("damaged lengths").isPositive();
  }
}
