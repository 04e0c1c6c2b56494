// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.listen;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class HostRatesTest {
  private final AtomicLong now = new AtomicLong();
  private final HostRates rates = new HostRates(2, 3, now::get);

  private boolean admit(String host) {
    return rates.admit(new InetSocketAddress(host, 1));
  }

  @Test
  void eachHostIsLimitedAndThenAdmittedAgain() {
    assertThat(admit("10.0.0.1") && admit("10.0.0.1") && admit("10.0.0.1")).isTrue();
    assertThat(admit("10.0.0.1")).isFalse();
    assertThat(admit("10.0.0.2")).isTrue();
    assertThat(rates.acquire("10.0.0.1")).isEqualTo(Duration.ofMillis(500));
    now.addAndGet(500_000_000);
    assertThat(admit("10.0.0.1")).isTrue();
    assertThat(admit("10.0.0.1")).isFalse();
  }

  @Test
  void theAddressesOfAnIpv6NetworkAreOneHost() {
    assertThat(admit("2001:db8::1") && admit("2001:db8::2") && admit("2001:db8::3")).isTrue();
    assertThat(admit("2001:db8::4")).isFalse();
    assertThat(admit("2001:db8:0:1::4")).isTrue();
  }

  @Test
  void aHostThatWasQuietMayBurstOnceMore() {
    now.addAndGet(Duration.ofHours(1).toNanos());
    eachHostIsLimitedAndThenAdmittedAgain();
  }
}
