// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.lane;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// L4: whatever comes over a connection, it is taken or the peer is cut off.
class SocketFuzzTest {
  private static final int FRAMES = 1_000_000;

  private final long seed = Long.getLong("seed", System.nanoTime());
  private final Random random = new Random(seed);

  /// Counts, and keeps the last reason.
  private static final class FakeLink implements Link {
    private int sent;
    private int cuts;
    private boolean isCut;
    private String reason = "";

    @Override
    public void send(Buffer bytes) {
      sent += bytes.length();
    }

    @Override
    public boolean isFull() {
      return false;
    }

    @Override
    public void close() {}

    @Override
    public void cut(String newReason) {
      cuts++;
      isCut = true;
      reason = newReason;
    }
  }

  /// Most frames take chunks back, since those that bring one take memory.
  private Buffer frame() {
    int length = random.nextInt(16) == 0 ? random.nextInt(64) : 0;
    long tag = Slots.tag(1 + random.nextInt(4), random.nextInt(4));
    return Buffer.buffer()
        .appendLongLE(tag)
        .appendIntLE(length)
        .appendIntLE(random.nextInt(Slots.COUNT))
        .appendBytes(new byte[length]);
  }

  /// Changes some bytes of the head, often to those that are lengths or signs.
  private Buffer spoilt(Buffer frame) {
    int changes = 1 + random.nextInt(3);
    for (int i = 0; i < changes; i++) {
      int value = random.nextBoolean() ? random.nextInt(256) : random.nextInt(3) - 1;
      frame.setByte(random.nextInt(SocketOutbox.HEAD), (byte) value);
    }
    return frame;
  }

  private void hearInPieces(SocketInbox inbox, Buffer frame) {
    int cut = random.nextInt(frame.length() + 1);
    inbox.hear(frame.slice(0, cut));
    inbox.hear(frame.slice(cut, frame.length()));
  }

  /// Nothing is heard of who was cut off.
  private void requireSilence(SocketInbox inbox, FakeLink link) {
    if (link.isCut) {
      int cuts = link.cuts;
      inbox.hear(spoilt(frame()));
      assertThat(link.cuts).as("seed " + seed).isEqualTo(cuts);
      link.isCut = false;
    }
  }

  @Test
  void aReaderTakesWhatItIsSentOrCutsItsWriterOff() {
    FakeLink link = new FakeLink();
    SocketInbox inbox = new SocketInbox(link);
    for (int i = 0; i < FRAMES; i++) {
      boolean isSpoilt = random.nextInt(8) == 0;
      try {
        hearInPieces(inbox, isSpoilt ? spoilt(frame()) : frame());
      } catch (RuntimeException | Error e) {
        throw new AssertionError("seed " + seed, e);
      }
      if (isSpoilt || link.isCut) {
        requireSilence(inbox, link);
        inbox = new SocketInbox(link);
      }
    }
    assertThat(link.cuts).as("seed " + seed).isBetween(FRAMES / 100, FRAMES);
    assertThat(link.sent).as("seed " + seed).isPositive();
  }

  @Test
  void aWriterTakesWhatItIsToldOrCutsItsReaderOff() {
    FakeLink link = new FakeLink();
    SocketOutbox outbox = new SocketOutbox(link);
    int freed = 0;
    for (int i = 0; i < FRAMES; i++) {
      int slot = random.nextInt(Slots.COUNT);
      if (outbox.isFree(slot)) {
        outbox.slot(slot);
        outbox.fill(slot, Slots.tag(1, i), 1);
      }
      int before = link.cuts;
      byte told = (byte) random.nextInt(256);
      boolean isHeld = told >= 0 && told < Slots.COUNT && !outbox.isFree(told);
      outbox.hear(Buffer.buffer(new byte[] {told}));
      assertThat(link.cuts - before).as("seed " + seed).isEqualTo(isHeld ? 0 : 1);
      freed += isHeld ? 1 : 0;
    }
    assertThat(freed).as("seed " + seed).isPositive();
  }

  @Test
  void whatCannotBeIsNamed() {
    assertThat(reason(Slots.tag(1, 0), Slots.CHUNK + 1, 0))
        .isEqualTo("a chunk of 262145 bytes for slot 0");
    assertThat(reason(Slots.tag(1, 0), 5, 32)).isEqualTo("a chunk of 5 bytes for slot 32");
    assertThat(reason(Slots.tag(0, 9), 5, 3)).isEqualTo("a chunk with tag 9");
    assertThat(reason(-1, 5, 3)).isEqualTo("a chunk with tag -1");
  }

  private static String reason(long tag, int bytes, int slot) {
    FakeLink link = new FakeLink();
    new SocketInbox(link)
        .hear(Buffer.buffer().appendLongLE(tag).appendIntLE(bytes).appendIntLE(slot));
    return link.reason;
  }
}
