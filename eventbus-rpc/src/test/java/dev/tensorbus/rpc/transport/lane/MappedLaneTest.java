// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.lane;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.rpc.RpcTimeoutException;
import dev.tensorbus.rpc.transport.lane.memory.MappedSlots;
import dev.tensorbus.rpc.transport.lane.slot.Outgoing;
import dev.tensorbus.rpc.transport.lane.slot.Slots;
import dev.tensorbus.rpc.wire.Payload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MappedLaneTest extends SlotContract {
  @TempDir private Path folder;

  @Override
  Pair open(long mostBytes) throws IOException {
    return Pair.mapped(folder, mostBytes);
  }

  @Test
  void aSenderThatWritesGarbageDisturbsOnlyItself() {
    Payload message = Pair.message(counting(40 * FLOATS));
    Outgoing transfer = pair.add(message);
    MappedSlots slots = (MappedSlots) pair.mine;
    for (int i = 0; i < 1_000_000; i++) {
      slots.publish(random.nextInt(Slots.COUNT), random.nextLong());
    }
    long soon = TimeUnit.MILLISECONDS.toNanos(50);
    assertThatThrownBy(
            () -> pair.reader.fetch(Pair.announced(message, transfer.transferId()), soon))
        .as("seed " + seed)
        .isInstanceOf(RpcTimeoutException.class);
  }
}
