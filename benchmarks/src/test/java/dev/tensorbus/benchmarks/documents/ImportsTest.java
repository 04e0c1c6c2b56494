// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.documents;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Whether the page of imports has the packages of all types that the Java in the documents uses.
final class ImportsTest {
  private static final Path PAGE = Pages.ROOT.resolve("docs/imports.md");
  private static final Pattern EXPORT = Pattern.compile("(?m)^ *exports ([\\w.]+);");
  private static final Pattern TYPE = Pattern.compile("\\b[A-Z]\\w*[a-z]\\w*\\b");
  private static final Pattern PUBLIC =
      Pattern.compile(
          "(?m)^public (?:(?:abstract|final|sealed|non-sealed) )*"
              + "(?:class|record|interface|enum|@interface) (\\w+)");
  private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");

  private static final Pattern GUIDES =
      Pattern.compile("docs/(tasks/.*|data|layers|optim|serving|tables|training)\\.md");

  private static final String HEAD =
      """
      # Imports

      Most snippets in these documents leave their imports out. This list of the types that tasks and
      guides name is made by a test.

      | package | types |
      | --- | --- |
      """;

  private static Stream<Path> sources(String name) throws IOException {
    return Files.walk(Pages.ROOT)
        .filter(file -> file.toString().contains("/src/main/java/"))
        .filter(file -> !file.startsWith(Pages.ROOT.resolve("examples")))
        .filter(file -> file.getFileName().toString().matches(name));
  }

  private static Set<String> exported() throws IOException {
    try (Stream<Path> modules = sources("module-info\\.java")) {
      return modules
          .flatMap(module -> EXPORT.matcher(Pages.read(module)).results())
          .map(found -> found.group(1))
          .collect(Collectors.toSet());
    }
  }

  /// The names in the Java of all pages, and in the inline code of tasks and guides for users,
  /// except where these describe our sources.
  private static Set<String> used() {
    Stream<String> java = SnippetsTest.snippets().stream().map(Snippet::code);
    Stream<String> inline =
        Pages.all().stream()
            .filter(page -> GUIDES.matcher(Pages.name(page)).matches())
            .map(page -> Pages.read(page).split("## Where in the code", 2)[0])
            .flatMap(text -> CODE.matcher(text).results())
            .map(MatchResult::group);
    return Stream.concat(java, inline)
        .flatMap(code -> TYPE.matcher(code).results())
        .map(MatchResult::group)
        .collect(Collectors.toSet());
  }

  private static String page() throws IOException {
    Set<String> used = used();
    Set<String> exported = exported();
    SortedMap<String, SortedSet<String>> packages = new TreeMap<>();
    try (Stream<Path> files = sources("[A-Z]\\w*\\.java")) {
      for (Path file : files.toList()) {
        String source = Pages.read(file);
        String name = file.toString().replaceFirst(".*/src/main/java/", "");
        String in = name.substring(0, name.lastIndexOf('/')).replace('/', '.');
        PUBLIC
            .matcher(source)
            .results()
            .map(found -> found.group(1))
            .filter(type -> exported.contains(in) && used.contains(type))
            .forEach(type -> packages.computeIfAbsent(in, _ -> new TreeSet<>()).add(type));
      }
    }
    return packages.entrySet().stream()
        .map(
            each ->
                each.getValue().stream()
                    .map(type -> "`" + type + "`")
                    .collect(Collectors.joining(", ", "| `" + each.getKey() + "` | ", " |\n")))
        .collect(Collectors.joining("", HEAD, ""));
  }

  @Test
  void thePageIsMadeOfTheSnippets() throws IOException {
    Pages.requireMade(PAGE, page(), "the snippets");
  }
}
