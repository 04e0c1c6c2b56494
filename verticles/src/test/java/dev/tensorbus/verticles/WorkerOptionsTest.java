// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class WorkerOptionsTest {
  private static final Settings SETTINGS =
      Settings.with(Setting.DATA, Setting.EPOCHS, Setting.BATCH_SIZE, Setting.LR);

  @Test
  void whatIsNotGivenHasADefault() {
    WorkerOptions options = WorkerOptions.of(SETTINGS, new JsonObject());
    assertThat(options.program()).isEqualTo("mnist");
    assertThat(options.worldSize()).isEqualTo(3);
    assertThat(options.rank()).isEmpty();
    assertThat(options.masterAddr()).isEqualTo("127.0.0.1");
    assertThat(options.masterPort()).isEqualTo(29500);
    assertThat(options.data()).isEmpty();
    assertThat(options.epochs()).isEqualTo(1);
    assertThat(options.batchSize()).isEqualTo(32);
    assertThat(options.lr()).isEqualTo(0.03f);
    assertThat(options.seed()).isEqualTo(1);
    assertThat(options.threads()).isEmpty();
    assertThat(options.timeout()).isEqualTo(Duration.ofSeconds(60));
  }

  @Test
  void itsJsonMakesTheSameAgain() {
    WorkerOptions options =
        WorkerOptions.of(
            SETTINGS, new JsonObject("{\"worldSize\": 4, \"lr\": 0.5, \"seed\": 12345678901}"));
    JsonObject json = new JsonObject(options.with(Setting.RANK, 2).toJson().encode());
    WorkerOptions again = WorkerOptions.of(SETTINGS, json);
    assertThat(again.rank()).hasValue(2);
    assertThat(again.worldSize()).isEqualTo(4);
    assertThat(again.lr()).isEqualTo(0.5f);
    assertThat(again.seed()).isEqualTo(12345678901L);
  }

  @Test
  void aProgramsOwnSettingReplacesTheCommonOneInItsPlace() {
    Settings settings = Settings.with(Setting.LR, Setting.WORLD_SIZE.withStandard(2));
    assertThat(WorkerOptions.of(settings, new JsonObject()).worldSize()).isEqualTo(2);
    assertThat(settings.keys())
        .isEqualTo(
            "program, worldSize, rank, masterAddr, masterPort, lr, seed, threads, timeout,"
                + " heartbeatTimeout, grpcPort, grpcHost, grpcCert, grpcKey, grpcTokenFile,"
                + " grpcRate, grpcCalls, grpcMaxMessage, grpcMaxTensors");
  }
}
