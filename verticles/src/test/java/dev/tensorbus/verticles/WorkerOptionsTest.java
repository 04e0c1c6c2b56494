// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.rpc.IdleMode;
import dev.tensorbus.rpc.PortRange;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerOptionsTest {
  private static final ProgramSettings SETTINGS =
      ProgramSettings.with(Setting.DATA, Setting.EPOCHS, Setting.BATCH_SIZE, Setting.LR);

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
    assertThat(options.lr()).isEqualTo(0.03);
    assertThat(options.seed()).isEqualTo(1);
    assertThat(options.threads()).isEmpty();
    assertThat(options.timeout()).isEqualTo(Duration.ofSeconds(60));
    assertThat(options.rendezvousTimeout()).isEqualTo(Duration.ofMinutes(10));
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
    assertThat(again.lr()).isEqualTo(0.5);
    assertThat(again.seed()).isEqualTo(12345678901L);
  }

  @Test
  void theIdleStrategyIsAdaptiveUnlessItIsToPark() {
    assertThat(WorkerOptions.of(SETTINGS, new JsonObject()).idleStrategy())
        .isEqualTo(IdleMode.ADAPTIVE);
    JsonObject park = new JsonObject().put(Setting.IDLE_STRATEGY.key(), "park");
    assertThat(WorkerOptions.of(SETTINGS, park).idleStrategy()).isEqualTo(IdleMode.PARK);
  }

  @Test
  void aLearningRateStaysAsItIsGiven() {
    WorkerOptions options = WorkerOptions.of(SETTINGS, new JsonObject("{\"lr\": 0.0123456789}"));
    assertThat(options.lr()).isEqualTo(0.0123456789);
  }

  @Test
  void ofAChangeOnlyTheNewValueIsChecked(@TempDir Path folder) throws IOException {
    WorkerOptions options =
        WorkerOptions.of(SETTINGS, new JsonObject().put("data", folder.toString()));
    Files.delete(folder);
    assertThat(options.with(Setting.RANK, 1).data()).hasValue(folder);
    assertThatThrownBy(() -> options.with(Setting.RANK, -1))
        .isInstanceOf(UsageException.class)
        .hasMessage("rank is -1; expected a whole number from 0 to 1023");
    assertThatThrownBy(() -> options.with(Setting.RANK, 3))
        .isInstanceOf(UsageException.class)
        .hasMessage("rank is 3, outside a world of 3 workers; expected 0 to 2");
  }

  @Test
  void rankZeroIsMetAtTheFirstOfItsPortsUnlessAnotherIsGiven() {
    JsonObject ports = new JsonObject().put("ports", "29600-29620");
    assertThat(WorkerOptions.of(SETTINGS, ports).masterPort()).isEqualTo(29_600);
    assertThat(WorkerOptions.of(SETTINGS, ports).ports()).isEqualTo(new PortRange(29_600, 29_620));
    JsonObject both = ports.copy().put("masterPort", 29_500);
    assertThat(WorkerOptions.of(SETTINGS, both).masterPort()).isEqualTo(29_500);
    assertThat(WorkerOptions.of(SETTINGS, new JsonObject()).ports()).isEqualTo(PortRange.ANY);
  }

  @Test
  void portsThatAreNoRangeAreRefused() {
    for (String ports : new String[] {"29500", "29500-29502", "9-8", "a-b", "0-0", "1-70000"}) {
      assertThatThrownBy(() -> WorkerOptions.of(SETTINGS, new JsonObject().put("ports", ports)))
          .isInstanceOf(UsageException.class)
          .hasMessage(
              "ports is %s; expected a range of at least 4 ports, such as" + " 29500-29520", ports);
    }
  }

  @Test
  void withoutASettingItsStandardHolds() {
    WorkerOptions options = WorkerOptions.of(SETTINGS, new JsonObject("{\"lr\": 1, \"rank\": 1}"));
    assertThat(options.without(Setting.LR).lr()).isEqualTo(0.03);
    assertThat(options.without(Setting.RANK).rank()).isEmpty();
  }

  @Test
  void aProgramsOwnSettingReplacesTheCommonOneInItsPlace() {
    ProgramSettings settings = ProgramSettings.with(Setting.LR, Setting.WORLD_SIZE.withStandard(2));
    assertThat(WorkerOptions.of(settings, new JsonObject()).worldSize()).isEqualTo(2);
    assertThat(settings.keys())
        .startsWith("program, worldSize, rank,")
        .containsOnlyOnce("worldSize");
  }
}
