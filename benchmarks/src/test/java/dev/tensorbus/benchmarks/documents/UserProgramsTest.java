// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs the README's program and the quickstart as their readers do, by the launcher's command.
class UserProgramsTest {
  private static final Path QUICKSTART = Pages.ROOT.resolve("examples/quickstart");

  /// For a machine that is busy with other builds.
  private static final int LONGEST_SECONDS = 240;

  private static final Pattern LOSS = Pattern.compile("step 100 {2}loss (\\S+)");

  @TempDir private Path folder;

  @Test
  void theTwoWorkersOfTheReadmeLearn() throws Exception {
    Snippet program =
        Snippet.of(Pages.ROOT.resolve("README.md")).stream()
            .filter(snippet -> snippet.code().contains("class Regression"))
            .findFirst()
            .orElseThrow();
    String output = run(Map.of("Regression", program.code()), 2, "Regression");
    Matcher loss = LOSS.matcher(output);
    assertThat(loss.find()).as(output).isTrue();
    assertThat(Float.parseFloat(loss.group(1))).isLessThan(0.01f);
  }

  @Test
  void theThreeWorkersOfTheQuickstartLearn() throws Exception {
    Map<String, String> sources = new HashMap<>();
    for (String type : List.of("Main", "Network")) {
      Path file = QUICKSTART.resolve("src/main/java/quickstart/" + type + ".java");
      sources.put("quickstart/" + type, Pages.read(file));
    }
    String output = run(sources, 3, "quickstart.Main");
    assertThat(output).contains("[worker1] epoch 3  accuracy 0.9", "[worker2] epoch 3  accuracy");
  }

  /// The command of README and of the quickstart's POM.
  @Test
  void theQuickstartSaysWhatItIsStartedBy() {
    String pom = Pages.read(QUICKSTART.resolve("pom.xml")).replaceAll("\\s+", " ");
    assertThat(pom)
        .contains(
            "-cp %classpath dev.tensorbus.verticles.command.Main run --workers ${workers} ${main}")
        .contains("<artifactId>tensorbus-bom</artifactId>");
  }

  private String run(Map<String, String> sources, int workers, String main) throws Exception {
    assertThat(Compilation.errors(sources, folder)).isEmpty();
    Path log = folder.resolve("world.log");
    Process world = start(workers, main, log);
    try {
      assertThat(world.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)).as(Pages.read(log)).isTrue();
      assertThat(world.exitValue()).as(Pages.read(log)).isZero();
      return Pages.read(log);
    } finally {
      world.descendants().forEach(ProcessHandle::destroyForcibly);
      world.destroyForcibly();
    }
  }

  private Process start(int workers, String main, Path log) throws IOException {
    String path = folder + File.pathSeparator + System.getProperty("java.class.path");
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            path,
            "dev.tensorbus.verticles.command.Main",
            "run",
            "--workers",
            Integer.toString(workers),
            main)
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }
}
