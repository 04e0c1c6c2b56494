// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.verticles.grpc.server.DoorOptions;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoorSettingsTest {
  @TempDir private Path folder;

  private static WorkerOptions options(String... keysAndValues) {
    JsonObject given = new JsonObject();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      given.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    return WorkerOptions.of(Settings.with(), given).with(DoorSettings.PORT, 50_051);
  }

  private String file(String text) throws IOException {
    return Files.writeString(Files.createTempFile(folder, "door", ""), text).toString();
  }

  @Test
  void thereIsNoDoorWithoutAPort() {
    assertThat(DoorSettings.of(WorkerOptions.of(Settings.with(), new JsonObject()))).isEmpty();
  }

  @Test
  void aPortAloneIsADoorOnLoopback() {
    assertThat(DoorSettings.of(options())).contains(DoorOptions.onLoopback(50_051));
  }

  @Test
  void theTokenIsWhatItsFileHolds() throws IOException {
    assertThat(DoorSettings.of(options("grpcTokenFile", file("s3cret\n"))))
        .contains(DoorOptions.onLoopback(50_051).withToken("s3cret"));
    String empty = file("\n");
    assertThatThrownBy(() -> DoorSettings.of(options("grpcTokenFile", empty)))
        .isInstanceOf(UsageException.class)
        .hasMessage("--grpc-token-file: %s is empty", empty);
  }

  @Test
  void aCertificateNeedsItsKey() throws IOException {
    String certificate = file("certificate");
    assertThatThrownBy(() -> DoorSettings.of(options("grpcCert", certificate)))
        .isInstanceOf(UsageException.class)
        .hasMessage("--grpc-cert is given without --grpc-key; TLS needs both");
  }
}
