// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs the README's program as its reader does, by the page's command.
class ReadmeProgramTest {
  private static final String PROGRAM = "Regression";

  /// For a machine that is busy with other builds.
  private static final int LONGEST_SECONDS = 240;

  @TempDir private Path folder;

  @Test
  void itsTwoWorkersLearn() throws Exception {
    compile();
    Process world = start();
    try {
      assertThat(world.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)).as(output()).isTrue();
      assertThat(world.exitValue()).as(output()).isZero();
      assertThat(output()).contains("[worker1] step 100  loss ");
      assertThat(lossAtEnd(output())).isLessThan(0.01f);
    } finally {
      world.descendants().forEach(ProcessHandle::destroyForcibly);
      world.destroyForcibly();
    }
  }

  private void compile() {
    Snippet program =
        Snippet.of(Pages.ROOT.resolve("README.md")).stream()
            .filter(snippet -> snippet.code().contains("class " + PROGRAM))
            .findFirst()
            .orElseThrow();
    assertThat(Compilation.errors(Map.of(PROGRAM, program.code()), folder)).isEmpty();
  }

  /// As the page's command does.
  private Process start() throws IOException {
    String path = folder + File.pathSeparator + System.getProperty("java.class.path");
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            path,
            "dev.tensorbus.verticles.command.Main",
            "run",
            "--workers",
            "2",
            PROGRAM)
        .redirectErrorStream(true)
        .redirectOutput(log().toFile())
        .start();
  }

  private Path log() {
    return folder.resolve("world.log");
  }

  private String output() {
    return Pages.read(log());
  }

  private static float lossAtEnd(String output) {
    String last =
        output.lines().filter(line -> line.contains("  loss ")).reduce((a, b) -> b).orElseThrow();
    return Float.parseFloat(last.substring(last.lastIndexOf(' ') + 1));
  }
}
