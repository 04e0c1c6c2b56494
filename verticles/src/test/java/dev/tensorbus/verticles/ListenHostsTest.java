// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ListenHostsTest {
  private static WorkerOptions options(String key, String host, boolean isTrusted) {
    JsonObject given = new JsonObject().put(key, host).put("trustedNetwork", isTrusted);
    return WorkerOptions.of(ProgramSettings.with(), given);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          masterAddr  | --tls DIR, or --trusted-network
          pageHost    | --trusted-network
          metricsHost | --tls DIR, or --trusted-network
          grpcHost    | --grpc-cert, --grpc-key and --grpc-token-file, or --trusted-network
          """)
  void aHostThatOthersCanReachNeedsCertificatesOrATrustedNetwork(String key, String cures) {
    assertThatThrownBy(() -> options(key, "0.0.0.0", false))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            key
                + " is 0.0.0.0, where everyone on the network could connect; expected 127.0.0.1, or"
                + " set "
                + cures
                + " if everyone there is trusted");
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
  void certificatesOpenTheWorldAndItsMetricsButNotItsPage(@TempDir Path folder) {
    JsonObject given = new JsonObject().put("tls", folder.toString()).put("masterAddr", "0.0.0.0");
    assertThat(WorkerOptions.of(ProgramSettings.with(), given).masterAddr()).isEqualTo("0.0.0.0");
    given.put("metricsHost", "0.0.0.0");
    assertThat(WorkerOptions.of(ProgramSettings.with(), given).word(Setting.METRICS_HOST))
        .isEqualTo("0.0.0.0");
    assertThatThrownBy(
            () -> WorkerOptions.of(ProgramSettings.with(), given.put("pageHost", "0.0.0.0")))
        .hasMessageStartingWith("pageHost is 0.0.0.0");
    assertThatThrownBy(
            () -> WorkerOptions.of(ProgramSettings.with(), given.put("trustedNetwork", true)))
        .hasMessage("tls and trustedNetwork are given; expected one of them");
  }
}
