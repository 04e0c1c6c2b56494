// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.launch.Jvm;
import dev.tensorbus.rpc.testing.FreePort;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs the README's program as its reader would: one JVM for each of its two workers.
class ReadmeProgramTest {
  private static final String PROGRAM = "Regression";

  /// For a machine that is busy with other builds.
  private static final int LONGEST_SECONDS = 240;

  @TempDir private Path folder;

  @Test
  void itsTwoWorkersLearn() throws Exception {
    compile();
    Process server = start(0);
    Process trainer = start(1);
    try {
      assertThat(trainer.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)).as(this::outputs).isTrue();
      assertThat(output(1)).as(this::outputs).contains("step 100  loss ");
      assertThat(lossAtEnd(output(1))).isLessThan(0.01f);
      assertThat(server.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)).as(this::outputs).isTrue();
      assertThat(server.exitValue()).as(this::outputs).isZero();
    } finally {
      trainer.destroyForcibly();
      server.destroyForcibly();
    }
  }

  /// With a free port in place of the program's, which another test may have, and more time.
  private void compile() throws IOException {
    Snippet program =
        Snippet.of(Pages.ROOT.resolve("README.md")).stream()
            .filter(snippet -> snippet.code().contains("class " + PROGRAM))
            .findFirst()
            .orElseThrow();
    String code =
        program
            .code()
            .replace("29500", Integer.toString(FreePort.find()))
            .replace("ofSeconds(60)", "ofSeconds(" + LONGEST_SECONDS + ")");
    assertThat(Compilation.errors(Map.of(PROGRAM, code), folder)).isEmpty();
  }

  private Process start(int rank) throws IOException {
    String path = folder + File.pathSeparator + System.getProperty("java.class.path");
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    List<String> command = new ArrayList<>(new Jvm(java, path).command(PROGRAM, List.of()));
    command.add(Integer.toString(rank));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(file(rank).toFile())
        .start();
  }

  private Path file(int rank) {
    return folder.resolve("worker" + rank + ".log");
  }

  private String output(int rank) {
    return Pages.read(file(rank));
  }

  private String outputs() {
    return "server:\n" + output(0) + "\ntrainer:\n" + output(1);
  }

  private static float lossAtEnd(String output) {
    String last = output.strip().lines().reduce((before, line) -> line).orElseThrow();
    return Float.parseFloat(last.substring(last.lastIndexOf(' ') + 1));
  }
}
