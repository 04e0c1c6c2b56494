// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.call.callee.KeptAnswers;
import dev.tensorbus.rpc.transport.bus.FrameCodec;
import dev.tensorbus.rpc.wire.message.Response;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Tensors that go along with a message as they are.
class HandOverTest {
  private final Tensor large = Tensor.of(new float[1 << 20]);
  private final Frame frame = answer(large);

  private static Frame answer(Tensor tensor) {
    List<WireTensor> tensors = List.of(WireTensor.of(tensor, true));
    Payload payload = new Payload(tensors, new byte[] {1, 2, 3});
    return new Response(
            1, 2, Response.Outcome.RESULT, false, Attached.NONE, payload.handedOver(), null)
        .toFrame();
  }

  private static Payload read(Frame frame) {
    return Response.from(frame).result();
  }

  @Test
  void theyArriveAsTheyAre() {
    Payload read = read(frame);
    assertThat(read.tensors().getFirst().values()).isSameAs(large.heap());
    assertThat(read.tensors().getFirst().tracked()).isTrue();
    assertThat(read.values()).containsExactly(1, 2, 3);
    assertThat(read.isBeside()).isFalse();
  }

  @Test
  void theyCountAsPartOfTheMessage() {
    assertThat(frame.bytes()).hasSizeLessThan(100);
    assertThat(frame.size()).isEqualTo((4 << 20) + frame.bytes().length);
  }

  @Test
  void theyAreNoWorkForAnEventLoopAndNothingForABundle() {
    assertThat(frame.isSmall()).isTrue();
    assertThat(frame.mayBeBundled()).isFalse();
  }

  @Test
  void anAnswerWithTooManyOfTheirBytesIsNotKept() {
    KeptAnswers answers = new KeptAnswers();
    answers.add(1, frame);
    answers.add(2, answer(Tensor.of(1)));
    assertThat(answers.get(1)).isNull();
    assertThat(answers.get(2)).isNotNull();
  }

  @Test
  void bytesFromElsewhereBringNone() {
    assertThat(read(new Frame(frame.bytes())).tensors()).isEmpty();
  }

  @Test
  void theyDoNotLeaveTheProcess() {
    assertThatThrownBy(() -> new FrameCodec().encodeToWire(Buffer.buffer(), frame))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("tensors are handed over within one Vertx only");
  }
}
