// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/// gRPC's `grpc-timeout`.
class DeadlineTest {
  private static Duration limit(String timeout) {
    return Deadline.of(timeout).limit();
  }

  @Test
  void aTimeIsReadInEachUnit() {
    assertThat(limit("2H")).isEqualTo(Duration.ofHours(2));
    assertThat(limit("3M")).isEqualTo(Duration.ofMinutes(3));
    assertThat(limit("4S")).isEqualTo(Duration.ofSeconds(4));
    assertThat(limit("5m")).isEqualTo(Duration.ofMillis(5));
    assertThat(limit("6u")).isEqualTo(Duration.ofNanos(6000));
    assertThat(limit("7n")).isEqualTo(Duration.ofNanos(7));
  }

  @Test
  void noTimeIsNoDeadlineAndOneBeyondAllClocksIsCutOff() {
    assertThat(Deadline.of(null)).isNull();
    assertThat(limit("99999999H")).isEqualTo(Duration.ofDays(10_000));
    assertThat(Deadline.of("99999999H").left()).isGreaterThan(Duration.ofDays(9999));
    assertThat(Deadline.of("0n").left()).isEqualTo(Duration.ofNanos(1));
  }

  @Test
  void whatIsNoTimeIsRefused() {
    assertThatThrownBy(() -> Deadline.of("soon"))
        .hasMessage(
            "grpc-timeout is \"soon\"; expected up to 8 digits and one of H, M, S, m, u, n");
  }
}
