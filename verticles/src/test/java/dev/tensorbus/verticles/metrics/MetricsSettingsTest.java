// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.verticles.ProgramSettings;
import dev.tensorbus.verticles.Progress;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.RoleBinding;
import dev.tensorbus.verticles.RpcWorker;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.WorkerOptions;
import dev.tensorbus.verticles.batch.BatchProgram;
import dev.tensorbus.verticles.worker.RoleMain;
import dev.tensorbus.verticles.world.WorkerCommand;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// `--metrics` and its place in a world.
class MetricsSettingsTest {
  private final List<Progress> told = new ArrayList<>();
  private final RoleBinding role =
      new RoleBinding(
          Role.TRAINER,
          (options, progress) -> {
            told.add(progress);
            return new RpcWorker(Role.TRAINER, options);
          });

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

  @Test
  void withoutAPortNothingIsMeasured() {
    MetricsExtension.worker(role, off(), Progress.NONE);
    assertThat(told).containsExactly(Progress.NONE);
  }

  @Test
  void withAPortProgressIsCounted() {
    MetricsExtension.worker(role, off().with(Setting.METRICS, 9_464), Progress.NONE);
    assertThat(told).singleElement().isInstanceOf(CountedProgress.class);
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
