// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.verticles.WorkerOptions;
import io.vertx.core.json.JsonObject;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What may be learned from on an event loop.
class WorkloadTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                                 | true
          {"batchSize": 1000}                | false
          {"inputs": 1000, "outputs": 1000}  | false
          {"batchSize": 1, "images": true}   | false
          """)
  void onlyABatchOfMicrosecondsIsBrief(String options, boolean isBrief) {
    WorkerOptions given = WorkerOptions.of(BatchProgram.SETTINGS, new JsonObject(options));
    assertThat(Workload.of(given, new SplittableRandom(1)).isBrief()).isEqualTo(isBrief);
  }
}
