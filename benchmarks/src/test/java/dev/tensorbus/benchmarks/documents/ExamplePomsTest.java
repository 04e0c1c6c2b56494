// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Whether the POMs of `examples` are one POM under several names. None has a parent, so that a
/// reader can copy any of them.
class ExamplePomsTest {
  private static final Path EXAMPLES = Pages.ROOT.resolve("examples");

  /// The names of the examples' folders. Archetypes are modules of the build, not examples.
  static List<String> examples() {
    try (Stream<Path> folders = Files.list(EXAMPLES)) {
      return folders
          .filter(folder -> Files.exists(folder.resolve("pom.xml")))
          .map(folder -> folder.getFileName().toString())
          .filter(name -> !name.endsWith("archetype"))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The lines of an example's POM without its name, its program and its own dependencies.
  private static List<String> common(String example) {
    return Pages.read(EXAMPLES.resolve(example).resolve("pom.xml"))
        .replaceAll("<(groupId|artifactId)>" + example + "</", "<$1></")
        .replaceAll("<(main|workers)>[\\w.]+</", "<$1></")
        .replaceAll("<arguments>.*</arguments>", "<arguments/>")
        .replaceAll("(?s)(tensorbus-verticles</.*?</dependency>).*(?=\n *</dependencies>)", "$1")
        .lines()
        .toList();
  }

  /// The example in Kotlin also has the Kotlin compiler.
  @ParameterizedTest
  @MethodSource("examples")
  void aPomIsTheQuickstartsWithAnotherProgram(String example) {
    List<String> lines = common(example);
    assertThat(lines).containsSubsequence(common("quickstart"));
    if (!example.equals("kotlin")) {
      assertThat(lines).hasSameSizeAs(common("quickstart"));
    }
  }

  @Test
  void allExamplesAreBuiltTogether() {
    assertThat(Pages.read(EXAMPLES.resolve("pom.xml")).lines())
        .filteredOn(line -> line.contains("<module>"))
        .map(line -> line.replaceAll("</?module>", "").strip())
        .isEqualTo(examples());
  }
}
