// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.lane.socket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.WireException;
import dev.tensorbus.rpc.transport.lane.Pair;
import dev.tensorbus.rpc.transport.lane.slot.GatherBuffer;
import dev.tensorbus.rpc.transport.lane.slot.Slots;
import dev.tensorbus.rpc.wire.Payload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ReadableByteChannel;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// L4: whatever comes over a connection, it is taken or the peer is cut off.
@Tag("long")
class SocketFuzzTest {
  private static final int FRAMES = 1_000_000;
  private static final int TRANSFERS = 4;

  private final long seed = Long.getLong("seed", System.nanoTime());
  private final Random random = new Random(seed);

  /// Counts what is sent.
  private static final class FakeLink implements Link {
    private int sent;

    @Override
    public void add(ByteBuffer bytes) {
      sent += bytes.remaining();
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  /// A connection's input: some bytes, and the rest, and its end.
  private static final class Pieces implements ReadableByteChannel {
    private final ByteBuffer bytes;
    private final int cut;

    private Pieces(byte[] bytes, int cut) {
      this.bytes = ByteBuffer.wrap(bytes);
      this.cut = cut;
    }

    @Override
    public int read(ByteBuffer into) {
      int end = bytes.position() < cut ? cut : bytes.capacity();
      int count = Math.min(into.remaining(), end - bytes.position());
      into.put(bytes.slice(bytes.position(), count));
      bytes.position(bytes.position() + count);
      return count == 0 ? -1 : count;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }

  private ReadableByteChannel inPieces(byte[] bytes) {
    return new Pieces(bytes, random.nextInt(bytes.length + 1));
  }

  /// Why the peer is cut off; nothing if it is not.
  private static String reason(SocketLink.Reader reader, ReadableByteChannel channel) {
    try {
      reader.read(channel);
      return "";
    } catch (WireException e) {
      return String.valueOf(e.getMessage());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Most frames take chunks back, since those that bring one take memory.
  private byte[] frame() {
    int length = random.nextInt(16) == 0 ? random.nextInt(64) : 0;
    long tag = Slots.tag(1 + random.nextInt(TRANSFERS), random.nextInt(4));
    return frame(tag, length, random.nextInt(Slots.COUNT), length);
  }

  private static byte[] frame(long tag, int length, int slot, int bytes) {
    return ByteBuffer.allocate(SocketOutbox.HEAD + bytes)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(tag)
        .putInt(length)
        .putInt(slot)
        .array();
  }

  /// Changes some bytes of the head, often to those that are lengths or signs.
  private byte[] spoilt(byte[] frame) {
    int changes = 1 + random.nextInt(3);
    for (int i = 0; i < changes; i++) {
      int value = random.nextBoolean() ? random.nextInt(256) : random.nextInt(3) - 1;
      frame[random.nextInt(SocketOutbox.HEAD)] = (byte) value;
    }
    return frame;
  }

  /// Somebody has arrays for one of the transfers.
  private static SocketInbox inbox(FakeLink link) {
    SocketInbox inbox = new SocketInbox(link, Pair.STRATEGIES);
    Payload wanted = Pair.message(Tensor.of(new float[9]));
    inbox.deliver(TRANSFERS, GatherBuffer.of(wanted.tensors()));
    return inbox;
  }

  @Test
  void aReaderTakesWhatItIsSentOrCutsItsWriterOff() {
    FakeLink link = new FakeLink();
    SocketInbox inbox = inbox(link);
    int cuts = 0;
    for (int i = 0; i < FRAMES; i++) {
      boolean isSpoilt = random.nextInt(8) == 0;
      byte[] frame = isSpoilt ? spoilt(frame()) : frame();
      try {
        cuts += reason(inbox::read, inPieces(frame)).isEmpty() ? 0 : 1;
      } catch (RuntimeException | Error e) {
        throw new AssertionError("seed " + seed, e);
      }
      if (i % 1000 == 0) {
        inbox = inbox(link); // whose slots are free
      }
    }
    assertThat(cuts).as("seed " + seed).isBetween(FRAMES / 100, FRAMES);
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
      byte told = (byte) random.nextInt(256);
      boolean isHeld = told >= 0 && told < Slots.COUNT && !outbox.isFree(told);
      String reason = reason(outbox::read, inPieces(new byte[] {told}));
      assertThat(reason.isEmpty()).as("seed " + seed).isEqualTo(isHeld);
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

  private String reason(long tag, int bytes, int slot) {
    return reason(
        new SocketInbox(new FakeLink(), Pair.STRATEGIES)::read,
        inPieces(frame(tag, bytes, slot, 0)));
  }
}
