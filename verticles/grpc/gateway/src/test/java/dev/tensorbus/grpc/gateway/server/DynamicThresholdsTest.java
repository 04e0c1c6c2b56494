// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.grpc.gateway.server.DynamicThresholds.Peer;
import org.junit.jupiter.api.Test;

class DynamicThresholdsTest {
  private final DynamicThresholds shares = new DynamicThresholds(1024);

  private int takeAll(Peer peer) {
    int taken = 0;
    while (shares.take(peer, 1)) {
      taken++;
    }
    return taken;
  }

  @Test
  void oneConnectionTakesHalfAndOneHostTwoThirds() {
    assertThat(takeAll(new Peer("a", 1))).isEqualTo(512);
    int others = 0;
    for (int connection = 2; connection < 1000; connection++) {
      others += takeAll(new Peer("a", connection));
    }
    assertThat(512 + others).isEqualTo(683); // 341 are left, more than half of 682
  }

  @Test
  void whoComesAfterGreedyHostsFindsSome() {
    for (int host = 0; host < 9; host++) {
      assertThat(takeAll(new Peer("host" + host, host))).isPositive();
    }
  }

  @Test
  void theOnlyOneIsForWhoComesFirst() {
    DynamicThresholds one = new DynamicThresholds(1);
    assertThat(one.take(new Peer("a", 1), 1)).isTrue();
    assertThat(one.take(new Peer("b", 2), 1)).isFalse();
  }

  @Test
  void whatIsGivenBackCanBeTakenAgain() {
    Peer peer = new Peer("a", 1);
    assertThat(shares.take(peer, 512)).isTrue();
    assertThat(shares.take(peer, 1)).isFalse();
    shares.give(peer, 512);
    assertThat(shares.take(peer, 512)).isTrue();
  }
}
