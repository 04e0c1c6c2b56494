// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.FunctionName;
import dev.tensorbus.rpc.WireException;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.wire.message.Bundle;
import dev.tensorbus.rpc.wire.message.LaneNote;
import dev.tensorbus.rpc.wire.message.Probe;
import dev.tensorbus.rpc.wire.message.Release;
import dev.tensorbus.rpc.wire.message.Request;
import dev.tensorbus.rpc.wire.message.Response;
import dev.tensorbus.rpc.wire.message.TraceContext;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// G8: whatever the bytes, a message is read or refused.
@Tag("long")
class FrameFuzzTest {
  private static final int FRAMES = 1_000_000;
  private static final Sender SENDER = new Sender(new WorkerInfo("worker1", 1), 5);

  private final long seed = Long.getLong("seed", System.nanoTime());
  private final Random random = new Random(seed);

  private static Payload payload(long transferId) {
    List<WireTensor> tensors =
        List.of(
            WireTensor.of(Tensor.of(1, 2, 3), true),
            WireTensor.of(Tensor.ofBooleans(true, false), false));
    return new Payload(transferId, tensors, new byte[] {1, 2, 3});
  }

  private static Attached attached() {
    Output out = new Output(64);
    int first = out.beginPart(1);
    new GlobalId(1, 2, 3).write(out);
    out.endPart(first);
    int second = out.beginPart(2);
    new TraceContext("00-0af7651916cd43dd8448eb211c80319c", "vendor=1").write(out);
    out.endPart(second);
    return Attached.of(out);
  }

  private static Request read(Frame frame) {
    Request request = Request.from(frame);
    request.head().attached().forEach((id, in) -> {});
    return request;
  }

  private static Request request(long transferId) {
    FunctionName function = new FunctionName("Server", "update");
    Request.Head head = new Request.Head(1, 1, SENDER, 1000, false, false, function, attached());
    return new Request(head, payload(transferId));
  }

  /// Changes some bytes, often to those that are lengths or signs, and cuts some off.
  private Frame spoilt(Frame frame) {
    byte[] bytes = frame.bytes().clone();
    int changes = 1 + random.nextInt(4);
    for (int i = 0; i < changes; i++) {
      int value = random.nextBoolean() ? random.nextInt(256) : random.nextInt(3) - 1;
      bytes[2 + random.nextInt(bytes.length - 2)] = (byte) value;
    }
    int length = random.nextInt(4) == 0 ? random.nextInt(bytes.length) : bytes.length;
    return new Frame(Arrays.copyOf(bytes, length));
  }

  private void fuzz(Frame frame, int times, Consumer<Frame> read) {
    int refused = 0;
    for (int i = 0; i < times; i++) {
      Frame spoilt = spoilt(frame);
      try {
        read.accept(spoilt);
      } catch (WireException e) {
        refused++;
      } catch (RuntimeException | Error e) {
        throw new AssertionError("seed " + seed + ", " + Arrays.toString(spoilt.bytes()), e);
      }
    }
    assertThat(refused).as("seed " + seed).isPositive();
  }

  @Test
  void aSpoiltMessageIsReadOrRefused() {
    fuzz(request(Payload.IN_MESSAGE).toFrame(), FRAMES / 4, FrameFuzzTest::read);
    fuzz(request(9).toFrame(), FRAMES / 4, FrameFuzzTest::read);
    Response response =
        new Response(1, 2, Response.Outcome.RESULT, true, attached(), payload(9), null);
    fuzz(response.toFrame(), FRAMES / 4, Response::from);
    LaneNote note = new LaneNote(1, LaneNote.Step.OFFER, SENDER, "/dev/shm/tensorbus-1-2.lane");
    fuzz(note.toFrame(), FRAMES / 4, LaneNote::from);
    Probe probe = new Probe(SENDER, List.of(1L, 2L, 3L));
    fuzz(probe.toFrame(), FRAMES / 4, Probe::from);
    fuzz(new Release(SENDER, List.of(1L, 2L)).toFrame(), FRAMES / 4, Release::from);
    Bundle bundle = new Bundle(List.of(response.toFrame(), note.toFrame()));
    fuzz(bundle.toFrame(), FRAMES / 4, Bundle::from);
  }
}
