// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.benchmarks.measure.Figure;
import dev.tensorbus.launch.Jvm;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The command as users run it, in a process of its own.
@Tag("long")
class MnistBenchTest {
  @Test
  void standardOutputHoldsTheFiguresAndNothingElse() throws IOException, InterruptedException {
    List<String> command =
        Jvm.current().command(Bench.class.getName(), List.of("mnist", "--steps", "2"));
    Process bench = new ProcessBuilder(command).redirectError(Redirect.DISCARD).start();
    List<String> lines = bench.inputReader().lines().toList();
    assertThat(bench.waitFor()).isZero();
    assertThat(lines)
        .hasSize(2)
        .allMatch(Figure::isFigure)
        .satisfiesExactly(
            line -> assertThat(line).matches("mnist\\.trainers1\\.rank1\\.step \\S+ ms"),
            line ->
                assertThat(line).matches("mnist\\.trainers1\\.rank1\\.throughput \\S+ samples/s"));
  }
}
