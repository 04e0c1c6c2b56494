// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.verticles.WorkerOptions;
import io.vertx.core.json.JsonObject;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The models and tasks that can be asked for.
class WorkloadTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                                           |     3030
          {"batchSize": 3, "inputs": 7, "outputs": 2}  |       16
          {"batchSize": 2, "images": true}             |  1199882
          """)
  void equalGeneratorsGiveEqualModelsAndLosses(String options, int parameters) {
    Workload one = workload(options);
    Workload other = workload(options);
    assertThat(one.model().parameters().stream().mapToInt(p -> p.shape().elements()).sum())
        .isEqualTo(parameters);
    float loss = one.nextLoss().item();
    assertThat(loss).isPositive().isEqualTo(other.nextLoss().item());
    assertThat(one.nextLoss().item()).as("the loss of the next batch").isNotEqualTo(loss);
  }

  private static Workload workload(String options) {
    WorkerOptions given = WorkerOptions.of(BatchProgram.SETTINGS, new JsonObject(options));
    return Workload.of(given, new SplittableRandom(1));
  }
}
