// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs the README's program and the quickstart as their readers do, by the launcher's command.
@Tag("slow")
class UserProgramsTest {
  private static final Path QUICKSTART = Pages.ROOT.resolve("examples/quickstart");
  private static final Pattern LOSS = Pattern.compile("step 100 {2}loss (\\S+)");

  @TempDir private Path folder;

  @Test
  void theTwoWorkersOfTheReadmeLearn() throws Exception {
    Snippet program =
        Snippet.of(Pages.ROOT.resolve("README.md")).stream()
            .filter(snippet -> snippet.code().contains("class Regression"))
            .findFirst()
            .orElseThrow();
    try (var world =
        UserWorld.start(Map.of("Regression", program.code()), folder, 2, "Regression")) {
      String output = world.output();
      Matcher loss = LOSS.matcher(output);
      assertThat(loss.find()).as(output).isTrue();
      assertThat(Float.parseFloat(loss.group(1))).isLessThan(0.01f);
    }
  }

  @Test
  void theThreeWorkersOfTheQuickstartLearn() throws Exception {
    Map<String, String> sources = new HashMap<>();
    for (String type : List.of("Main", "Network")) {
      Path file = QUICKSTART.resolve("src/main/java/quickstart/" + type + ".java");
      sources.put("quickstart/" + type, Pages.read(file));
    }
    try (var world = UserWorld.start(sources, folder, 3, "quickstart.Main")) {
      assertThat(world.output())
          .contains("[worker1] epoch 3  accuracy 0.9", "[worker2] epoch 3  accuracy");
    }
  }

  /// The command of README and of the quickstart's POM.
  @Test
  void theQuickstartSaysWhatItIsStartedBy() {
    String pom = Pages.read(QUICKSTART.resolve("pom.xml")).replaceAll("\\s+", " ");
    assertThat(pom)
        .contains(
            "-cp %classpath dev.tensorbus.verticles.command.Main run"
                + " --workers ${workers} ${options} ${main} ${arguments}");
  }
}
