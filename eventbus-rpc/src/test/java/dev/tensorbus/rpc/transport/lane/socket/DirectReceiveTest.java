// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.lane.socket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.transport.lane.Pair;
import dev.tensorbus.rpc.transport.lane.slot.GatherBuffer;
import dev.tensorbus.rpc.transport.lane.slot.Slots;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class DirectReceiveTest {
  private static final int FLOATS = Slots.CHUNK / Float.BYTES;

  private final GatherBuffer buffer =
      GatherBuffer.roomFor(Pair.message(Tensor.of(new float[2 * FLOATS + 3])).tensors());
  private final DirectReceive receive = new DirectReceive(buffer);
  private final MemorySegment full = MemorySegment.ofArray(new byte[Slots.CHUNK]);
  private final MemorySegment last = full.asSlice(0, 3 * Float.BYTES);

  private boolean take(int chunk, MemorySegment bytes) {
    return receive.take(Slots.tag(7, chunk), bytes);
  }

  private boolean has(int chunk) {
    return receive.has(Slots.tag(7, chunk));
  }

  @Test
  void chunksArePutIntoTheirPlaceInTurnFromTheFirstOn() {
    assertThat(take(1, full)).isTrue();
    assertThat(take(2, last)).isTrue();
    assertThat(receive.isDone()).isTrue();
    assertThat(new boolean[] {has(0), has(1), has(2), has(3)})
        .containsExactly(false, true, true, false);
  }

  @Test
  void aChunkThatIsNotTheNextOrNotWholeIsNot() {
    assertThat(take(3, last)).isFalse();
    assertThat(take(1, last)).isFalse();
    assertThat(take(1, full)).isTrue();
    assertThat(take(0, full)).isFalse();
    assertThat(take(1, full)).isFalse();
    assertThat(take(2, full)).isFalse();
    assertThat(receive.isDone()).isFalse();
  }
}
