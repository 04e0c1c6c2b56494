// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.HeapStorage;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.SparseRows;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.WireException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Bytes are copied no more often than they must be.
class OutputTest {
  private final Output out = new Output(8);

  @Test
  void aTextThatIsNotUtf8IsRefused() {
    for (String text : List.of("", "abc", "\u00e4\u20ac", "\ufffd")) {
      Output written = new Output(4);
      written.putString(text);
      assertThat(new Input(written.toFrame()).getString()).isEqualTo(text);
    }
    for (byte[] wrong : List.of(new byte[] {(byte) 0xff}, new byte[] {(byte) 0xc0, (byte) 0x80})) {
      Output written = new Output(4);
      written.putBytes(wrong);
      Input in = new Input(written.toFrame());
      assertThatThrownBy(in::getString)
          .isInstanceOf(WireException.class)
          .hasMessage("a string of " + wrong.length + " bytes is not UTF-8");
    }
  }

  @Test
  void whatIsAsLongAsExpectedIsNotCopiedAgain() {
    out.putLong(1);
    out.expect(2 * Long.BYTES);
    out.putLong(2);
    out.putLong(3);
    assertThat(out.toBytes()).hasSize(3 * Long.BYTES).isSameAs(out.toBytes());
  }

  @Test
  void whatIsLongerThanExpectedComesWhole() {
    out.expect(1);
    out.putLong(-1);
    assertThat(out.toBytes()).hasSize(Long.BYTES).containsOnly(-1);
  }

  @Test
  void aPayloadKnowsItsSizeToTheByte() {
    Tensor rows =
        Tensor.ofRows(new SparseRows(Shape.of(9, 4), new int[] {1, 7}, Tensor.zeros(2, 4)));
    List<WireTensor> tensors =
        Stream.of(Tensor.zeros(3, 5), Tensor.scalar(1), rows)
            .map(tensor -> WireTensor.of(tensor, true))
            .toList();
    new Payload(tensors, new byte[11]).write(out, 0);
    assertThat(out.toBytes()).isSameAs(out.toBytes());
  }

  @Test
  void valuesInAPartOfAMessageAreReadFromThatPart() {
    Output out = new Output(16);
    out.endPart(out.beginPart(1));
    int start = out.beginPart(2);
    out.putValues(HeapStorage.of(new float[] {3, 4}));
    out.endPart(start);
    Attached.of(out)
        .forEach(
            (id, in) -> {
              assertThat(id).isEqualTo(2);
              assertThat(in.getValues(DType.FLOAT32, 2).floats()).containsExactly(3, 4);
              in.requireEnd();
            });
  }
}
