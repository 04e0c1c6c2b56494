// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/// gRPC's `grpc-timeout`.
class GrpcTimeoutTest {
  @Test
  void aTimeIsReadInEachUnit() {
    assertThat(GrpcTimeout.of("2H")).isEqualTo(Duration.ofHours(2));
    assertThat(GrpcTimeout.of("3M")).isEqualTo(Duration.ofMinutes(3));
    assertThat(GrpcTimeout.of("4S")).isEqualTo(Duration.ofSeconds(4));
    assertThat(GrpcTimeout.of("5m")).isEqualTo(Duration.ofMillis(5));
    assertThat(GrpcTimeout.of("6u")).isEqualTo(Duration.ofNanos(6000));
    assertThat(GrpcTimeout.of("7n")).isEqualTo(Duration.ofNanos(7));
  }

  @Test
  void noTimeIsNoTimeoutAndOneBeyondAllClocksIsCutOff() {
    assertThat(GrpcTimeout.of(null)).isNull();
    assertThat(GrpcTimeout.of("99999999H")).isEqualTo(Duration.ofDays(10_000));
    assertThat(GrpcTimeout.of("0n")).isZero();
  }

  @Test
  void whatIsNoTimeIsRefused() {
    assertThatThrownBy(() -> GrpcTimeout.of("soon"))
        .hasMessage(
            "grpc-timeout is \"soon\"; expected up to 8 digits and one of H, M, S, m, u, n");
  }
}
