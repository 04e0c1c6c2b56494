// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.rpc.WireException;
import dev.tensorbus.rpc.transport.lane.slot.Outgoing;
import dev.tensorbus.rpc.transport.lane.slot.Slots;
import dev.tensorbus.rpc.wire.Payload;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class SocketLaneTest extends SlotContract {
  @Override
  Pair open(long mostBytes) throws IOException {
    return Pair.connected(mostBytes);
  }

  @Test
  void aChunkThatIsTooShortFailsItsTransferOnly() {
    Payload message = Pair.message(counting(40));
    pair.mine.slot(0);
    pair.mine.fill(0, Slots.tag(77, 0), 8);
    pair.mine.flush();
    assertThatThrownBy(() -> pair.fetch(Pair.announced(message, 77)))
        .isInstanceOf(WireException.class)
        .hasMessage("chunk 0 of transfer 77 has only 8 of 160 bytes");
    Outgoing transfer = pair.add(message);
    transfer.start();
    assertThat(pair.fetch(Pair.announced(message, transfer.transferId()))).hasSize(1);
  }
}
