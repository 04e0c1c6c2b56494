// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ListenHostsTest {
  private static WorkerOptions options(String key, String host, boolean isTrusted) {
    JsonObject given = new JsonObject().put(key, host).put("trustedNetwork", isTrusted);
    return WorkerOptions.of(ProgramSettings.with(), given);
  }

  @ParameterizedTest
  @ValueSource(strings = {"masterAddr", "pageHost", "metricsHost", "grpcHost"})
  void aHostThatOthersCanReachNeedsATrustedNetwork(String key) {
    assertThatThrownBy(() -> options(key, "0.0.0.0", false))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith(
            key
                + " is 0.0.0.0, where everyone on the network could connect; expected 127.0.0.1, or"
                + " set --trusted-network if everyone there is trusted");
    assertThat(options(key, "0.0.0.0", true).toJson().getString(key)).isEqualTo("0.0.0.0");
    assertThat(options(key, "::1", false).toJson().getString(key)).isEqualTo("::1");
    assertThat(options(key, "localhost", false).toJson().getString(key)).isEqualTo("localhost");
  }

  @Test
  void aHostWithoutAnAddressIsOneThatOthersCanReach() {
    assertThatThrownBy(() -> options("masterAddr", "no.such.host.invalid", false))
        .isInstanceOf(UsageException.class);
  }

  @Test
  void theGatewayIsOpenToOthersWithACertificateToo() {
    assertThatThrownBy(() -> options("grpcHost", "0.0.0.0", false))
        .hasMessageEndingWith(", or --grpc-cert and --grpc-key");
  }
}
