// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.server;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.grpc.gateway.wire.GrpcStatusException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CallRatesTest {
  @Test
  void oneHostsCallsAreLimitedAndThenLetInAgain() {
    AtomicLong now = new AtomicLong();
    CallRates rates = new CallRates(2, now::get);
    rates.require("a");
    rates.require("a");
    assertThatThrownBy(() -> rates.require("a"))
        .isInstanceOf(GrpcStatusException.class)
        .hasMessage("more than 2 calls per second, the limit of --grpc-rate");
    rates.require("b");
    now.addAndGet(500_000_000);
    rates.require("a");
    assertThatThrownBy(() -> rates.require("a")).isInstanceOf(GrpcStatusException.class);
  }
}
