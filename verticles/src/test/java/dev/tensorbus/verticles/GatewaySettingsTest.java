// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.grpc.gateway.server.GatewayOptions;
import dev.tensorbus.grpc.gateway.server.GatewayOptions.Limits;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GatewaySettingsTest {
  @TempDir private Path folder;

  private static WorkerOptions options(String... keysAndValues) {
    JsonObject given = new JsonObject();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      given.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    return WorkerOptions.of(ProgramSettings.with(), given).with(GatewaySettings.PORT, 50_051);
  }

  private String file(String text) throws IOException {
    return Files.writeString(Files.createTempFile(folder, "gateway", ""), text).toString();
  }

  @Test
  void thereIsNoGatewayWithoutAPort() {
    assertThat(GatewaySettings.of(WorkerOptions.of(ProgramSettings.with(), new JsonObject())))
        .isEmpty();
  }

  @Test
  void aPortAloneIsAGatewayOnLoopback() {
    assertThat(GatewaySettings.of(options())).contains(GatewayOptions.onLoopback(50_051));
  }

  @Test
  void aUsersProgramReadsThemFromItsEnvironment() {
    assertThat(GatewaySettings.from(Map.of())).isEqualTo(GatewayOptions.onLoopback(50_051));
    Map<String, String> variables =
        Map.of(
            "TENSORBUS_GRPC_PORT", "50052",
            "TENSORBUS_GRPC_HOST", "0.0.0.0",
            "TENSORBUS_TRUSTED_NETWORK", "true");
    assertThat(GatewaySettings.from(variables))
        .isEqualTo(GatewayOptions.onLoopback(50_052).on("0.0.0.0"));
    assertThatThrownBy(() -> GatewaySettings.from(Map.of("TENSORBUS_GRPC_PORT", "many")))
        .isInstanceOf(UsageException.class)
        .hasMessage("TENSORBUS_GRPC_PORT is many; expected a whole number from 0 to 65535");
  }

  @Test
  void memoryAndPatienceAreSet() {
    WorkerOptions options =
        WorkerOptions.of(
            ProgramSettings.with(),
            new JsonObject().put("grpcPort", 50_051).put("grpcMemory", 1 << 20).put("grpcIdle", 7));
    assertThat(GatewaySettings.of(options))
        .contains(
            GatewayOptions.onLoopback(50_051)
                .within(Limits.STANDARD.withMemoryBytes(1 << 20).withIdle(Duration.ofSeconds(7))));
  }

  @Test
  void theTokenIsWhatItsFileHolds() throws IOException {
    assertThat(GatewaySettings.of(options("grpcTokenFile", file("s3cret\n"))))
        .contains(GatewayOptions.onLoopback(50_051).withToken("s3cret"));
    String empty = file("\n");
    assertThatThrownBy(() -> GatewaySettings.of(options("grpcTokenFile", empty)))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith("--grpc-token-file: %s: there is no token", empty);
  }

  @Test
  void aCertificateNeedsItsKey() throws IOException {
    String certificate = file("certificate");
    assertThatThrownBy(() -> GatewaySettings.of(options("grpcCert", certificate)))
        .isInstanceOf(UsageException.class)
        .hasMessage("--grpc-cert is given without --grpc-key; TLS requires both");
  }
}
