// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.tools.Diagnostic;
import javax.tools.JavaFileObject;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Whether the Java in the documents compiles, as the pages have it.
class SnippetsTest {
  private static final Pattern FENCE = Pattern.compile("(?m)^\\s*```java");

  @TempDir private static Path classes;

  private static final SnippetSources SOURCES = new SnippetSources();
  private static final Map<Snippet, String> SOURCE_OF = new HashMap<>();
  private static final Map<Snippet, String> NOT_FOUND = new HashMap<>();
  private static Map<String, List<Diagnostic<? extends JavaFileObject>>> errors = Map.of();

  static List<Snippet> snippets() {
    return Pages.all().stream().flatMap(page -> Snippet.of(page).stream()).toList();
  }

  @BeforeAll
  static void compile() {
    for (Snippet snippet : snippets()) {
      try {
        SOURCE_OF.put(snippet, SOURCES.add(snippet));
      } catch (IllegalArgumentException e) {
        NOT_FOUND.put(snippet, e.getMessage());
      }
    }
    errors = Compilation.errors(SOURCES.sources(), classes);
  }

  @ParameterizedTest
  @MethodSource("snippets")
  void compiles(Snippet snippet) {
    assertThat(NOT_FOUND.get(snippet)).isNull();
    String source = SOURCE_OF.get(snippet);
    assertThat(errors.getOrDefault(source, List.of()))
        .extracting(
            error ->
                SOURCES.place(source, error.getLineNumber()) + ": " + Compilation.message(error))
        .isEmpty();
  }

  @Test
  void noFenceOfJavaIsSkipped() {
    long fences =
        Pages.all().stream()
            .mapToLong(page -> FENCE.matcher(Pages.read(page)).results().count())
            .sum();
    assertThat(snippets()).hasSize((int) fences);
    assertThat(errors).doesNotContainKey("javac");
  }
}
