// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.verticles.ProgramSettings;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.WorkerOptions;
import dev.tensorbus.verticles.batch.BatchProgram;
import dev.tensorbus.verticles.worker.RoleMain;
import dev.tensorbus.verticles.world.WorkerCommand;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// `--metrics` and its place in a world.
class MetricsSettingsTest {
  private static WorkerOptions off() {
    return WorkerOptions.of(ProgramSettings.with(), new JsonObject());
  }

  private static List<String> words(int port, int rank) {
    WorkerOptions options =
        WorkerOptions.of(
            BatchProgram.SETTINGS,
            new JsonObject().put(Setting.PROGRAM.key(), "batch").put(Setting.METRICS.key(), port));
    return WorkerCommand.ofAll(BatchProgram.PROGRAM, options, RoleMain.class).get(rank).words();
  }

  private static Optional<MetricsExtension> metrics(Role role, WorkerOptions options) {
    return MetricsExtension.of(role.isFirst(), options);
  }

  @Test
  void withoutAPortNothingIsMeasured() {
    assertThat(metrics(Role.TRAINER, off())).isEmpty();
  }

  @Test
  void withAPortProgressIsCounted() {
    assertThat(metrics(Role.TRAINER, off().with(Setting.METRICS, 9_464))).isPresent();
  }

  @Test
  void thePageHasTheMetricsOfItsOwnWorker() {
    WorkerOptions paged = off().with(Setting.PAGE, 8_080);
    assertThat(metrics(Role.PARAMETER_SERVER, paged)).isPresent();
    assertThat(metrics(Role.TRAINER, paged)).isEmpty();
  }

  @Test
  void metricsAreForThisMachineUnlessAnAddressIsGiven() {
    assertThat(off().word(Setting.METRICS_HOST)).isEqualTo("127.0.0.1");
  }

  @Test
  void eachWorkerOfAMachineHasAPortOfItsOwn() {
    for (int rank = 0; rank < 3; rank++) {
      assertThat(words(9_464, rank))
          .last()
          .asString()
          .contains("\"metrics\":" + (9_464 + rank) + ",");
      assertThat(words(0, rank)).last().asString().contains("\"metrics\":0,");
    }
  }

  @Test
  void aPortThatLeavesNoRoomForAllIsRefused() {
    assertThatThrownBy(() -> words(65_534, 0))
        .isInstanceOf(UsageException.class)
        .hasMessage("metrics is 65536; expected a whole number from 0 to 65535");
  }
}
