// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.profile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.rpc.testing.ChromeTraceFile;
import dev.tensorbus.verticles.Commands;
import dev.tensorbus.verticles.Commands.Running;
import dev.tensorbus.verticles.mnist.BlankDigits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `tensorbus train … --profile`, as users run it: the processes' events are one Chrome trace.
@Tag("long")
class ProfileIT {
  @TempDir private Path folder;

  private Running train(String... words) throws IOException {
    List<String> all = new ArrayList<>(List.of("train"));
    all.addAll(List.of(words));
    all.addAll(List.of("--profile", file().toString()));
    all.addAll(List.of("--timeout", "240", "--heartbeat-timeout", "240")); // on a busy machine
    return Commands.jar("tensorbus.jar", all.toArray(String[]::new));
  }

  private Path file() {
    return folder.resolve("trace.json");
  }

  private ChromeTraceFile requireTrace(Running world, int workers) throws Exception {
    assertThat(world.end()).as(world.output()).isZero();
    assertThat(world.output()).contains("open it in ui.perfetto.dev");
    ChromeTraceFile trace = ChromeTraceFile.read(file());
    trace.requireValid();
    assertThat(trace.processes()).hasSize(workers);
    assertThat(trace.arrows("call")).isPositive();
    return trace;
  }

  @Test
  void mnistHasItsCallsPassesAndGradients() throws Exception {
    BlankDigits.write(folder, "train");
    BlankDigits.write(folder, "t10k");
    try (Running world = train("mnist", "--data", folder.toString(), "--batch-size", "1")) {
      ChromeTraceFile trace = requireTrace(world, 3);
      assertThat(trace.arrows("gradients")).isPositive();
      assertThat(trace.names())
          .contains("DistContext.backward", "SendRpcBackward", "Optimizer.step", "conv2d");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "batch, --rounds, 8, BatchUpdateParameterServer.updateAndFetchModel, 3",
    "cartpole, --episodes, 6, Agent.selectAction, 2",
    "rnn, --epochs, 1, DistContext.backward, 2"
  })
  void eachProgramHasItsMethods(
      String program, String option, String value, String method, int workers) throws Exception {
    try (Running world = train(program, option, value)) {
      assertThat(requireTrace(world, workers).names()).contains(method);
    }
  }

  @Test
  void aTrainingOfOneStepSaysThatItHasNoProfile() throws Exception {
    try (Running world = train("batch", "--rounds", "1")) {
      assertThat(world.end()).as(world.output()).isZero();
      assertThat(world.output()).contains("no profile written to " + file());
    }
  }

  @Test
  void aFileThatCannotBeIsRefusedBeforeTheTraining() throws Exception {
    try (Running world =
        Commands.jar("tensorbus.jar", "train", "batch", "--profile", folder.toString())) {
      assertThat(world.end()).isEqualTo(2);
      assertThat(world.output()).contains("--profile is " + folder);
    }
  }
}
