// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.tensorbus.verticles.batch.BatchProgram;
import dev.tensorbus.verticles.mnist.MnistProgram;
import dev.tensorbus.verticles.rnn.RnnProgram;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// No machine has a GPU `cuda:99`.
final class DeviceSettingsTest {
  private static void check(String program, String given) {
    Program of =
        switch (program) {
          case "mnist" -> MnistProgram.PROGRAM;
          case "batch" -> BatchProgram.PROGRAM;
          default -> RnnProgram.PROGRAM;
        };
    of.check().accept(WorkerOptions.of(of.settings(), new JsonObject(given)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          mnist | {"device": "cuda:99"}                         | --device is cuda:99; cuda:99:
          mnist | {"device": "cuda:99", "rank": 0}              | --device is cuda:99; cuda:99:
          mnist | {"device": "cuda:99", "rank": 3, "servers": 2} | --device is cuda:99; cuda:99:
          batch | {"device": "cuda:99", "rank": 1}              | --device is cuda:99; cuda:99:
          rnn   | {"device": "cuda:99", "servers": 1}           | --device is cuda:99; cuda:99:
          mnist | {"device": "tpu"}                             | device is tpu; expected cpu, cuda or cuda:N, such as cuda:0
          rnn   | {"device": "cpu"}                             | --device is given without --servers, where the layers are on two workers, and a graph cannot span workers; set --servers, too, or leave --device out
          mnist | {"device": "cpu", "forward": "onnx"}          | --device is given with --forward or --num-gpus, which are for forward passes only; leave them out: --device computes forward passes, too
          """)
  void aMistakeIsAnsweredInOneLine(String program, String given, String answer) {
    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> check(program, given))
        .satisfies(error -> assertThat(error.getMessage()).startsWith(answer).doesNotContain("\n"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          mnist | {"device": "cuda:99", "rank": 1}
          mnist | {"device": "cuda:99", "rank": 1, "servers": 2}
          batch | {"device": "cuda:99", "rank": 0}
          mnist | {"device": "cpu"}
          rnn   | {"device": "cpu", "servers": 1}
          mnist | {"device": "cpu", "grpcPort": 50051}
          mnist | {"device": "cpu", "servers": 1, "grpcPort": 50051}
          """)
  void onlyWorkersThatComputeNeedTheDevice(String program, String given) {
    assertThatNoException().isThrownBy(() -> check(program, given));
  }
}
