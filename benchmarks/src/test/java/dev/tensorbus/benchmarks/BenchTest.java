// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.benchmarks.measure.Benchmark;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class BenchTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          mnits                 | unknown benchmark "mnits"; known benchmarks: mnist, gemm, convnet, lstm, rpc, batch, rl, rnn, grpc, grpc-soak, ops, transformer, resnet, compiled, memory, serve, embedding, lane, tls, idle, observability, scrape, soak, simulate, stragglers, replication, local-steps, survive, goodput, elastic, chaos and all
          rpc jmh               | unknown benchmark "jmh"; known benchmarks: mnist, gemm, convnet, lstm, rpc, batch, rl, rnn, grpc, grpc-soak, ops, transformer, resnet, compiled, memory, serve, embedding, lane, tls, idle, observability, scrape, soak, simulate, stragglers, replication, local-steps, survive, goodput, elastic, chaos and all
          --step 3              | unknown option --step, did you mean --steps?; see tensorbus bench --help
          mnist --steps         | --steps needs a value N; see tensorbus bench --help
          mnist --steps 0       | --steps is 0; expected a whole number from 1 to 1000000
          mnist --steps many    | Invalid value for option '--steps': 'many' is not an int; see tensorbus bench --help
          chaos --minutes 0     | --minutes is 0; expected a whole number from 1 to 1440
          chaos --heartbeat-timeout 1 | --heartbeat-timeout is 1; expected a whole number from 2 to 86400
          chaos --seed -1       | --seed is -1; expected a whole number from 0 to 2147483647
          mnist --data no/such  | --data is no/such; expected an existing folder
          compiled --device gpu | --device: no device "gpu"; expected cpu, cuda or cuda:N, such as cuda:0
          starts gemm --starts 1 | --starts is 1; expected a whole number from 2 to 1000
          ops --pattern softmax | --pattern is softmax, which matches no operation; expected a pattern such as reduce\\.softmax.*
          ops --pattern (       | --pattern is (, which is not a regular expression: Unclosed group; expected one such as reduce\\.softmax.*
          """)
  void aMistakeIsAnsweredInOneLineBeforeAnythingRuns(String arguments, String answer) {
    assertThat(execute(arguments.split(" "))).isEqualTo(2);
    assertThat(err.toString()).isEqualToIgnoringNewLines("error: " + answer + "\n");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void aFolderWithoutMnistIsNamed() {
    assertThat(execute("mnist", "--data", ".")).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("error: no train-images-idx3-ubyte[.gz] in .; --data needs a folder")
        .hasLineCount(1);
  }

  @Test
  void withoutANameItShowsThemAll() {
    assertThat(execute()).isEqualTo(2);
    assertThat(err.toString().lines())
        .containsAll(Benchmarks.lines())
        .last()
        .isEqualTo(
            "error: missing NAME; expected one or more names, or all; for example tensorbus bench"
                + " rpc gemm");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void startsNeedABenchmark() {
    assertThat(execute("starts")).isEqualTo(2);
    assertThat(err.toString()).contains("error: missing NAME;");
  }

  @Test
  void helpHasALineForEveryBenchmark() {
    assertThat(execute("--help")).isZero();
    assertThat(out.toString().lines())
        .containsAll(Benchmarks.lines())
        .contains("  rpc            calls between two workers");
  }

  @Test
  void allAreThoseThatTakeNotLong() {
    assertThat(Benchmarks.named("all"))
        .extracting(Benchmark::name)
        .contains("mnist", "grpc")
        .doesNotContain("soak", "all");
  }

  private int execute(String... arguments) {
    CommandLine commandLine = Bench.commandLine();
    commandLine.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    return commandLine.execute(arguments);
  }
}
