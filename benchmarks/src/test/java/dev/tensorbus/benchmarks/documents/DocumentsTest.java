// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Whether the documents tell the truth about names and places, and are short enough to be read.
class DocumentsTest {
  private static final int LONGEST_PAGE = 150;
  private static final int WIDEST_LINE = 100;

  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  /// A name that begins as a type's does, and is no flag of the JVM.
  private static final Pattern NAME =
      Pattern.compile("(?<![\\w.$-]|-XX:[+-]?)(?:[a-z]+\\.)*([A-Z][A-Za-z0-9]+)");

  private static final Pattern TYPE =
      Pattern.compile("\\b(?:class|interface|record|enum|@interface|object) ([A-Z]\\w*)");

  private static final Pattern LINK =
      Pattern.compile("\\[[^\\]]*\\]\\(([^)#\\s]*)(?:#([^)\\s]+))?\\)");

  private static final Set<String> TYPES = types();

  /// Names of torch, the JDK and the libraries.
  private static final Set<String> FOREIGN = foreign();

  static List<Path> pages() {
    return Pages.all();
  }

  static List<Path> pagesAndNotes() {
    return Pages.withNotes();
  }

  /// All types of our sources, tests and other languages included.
  private static Set<String> types() {
    try (Stream<Path> files = Files.walk(Pages.ROOT)) {
      return files
          .filter(file -> file.toString().matches(".*/src/.*\\.(java|kt|scala)"))
          .flatMap(file -> TYPE.matcher(Pages.read(file)).results())
          .map(found -> found.group(1))
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Set<String> foreign() {
    try (InputStream words = DocumentsTest.class.getResourceAsStream("foreign-names.txt")) {
      String text =
          new String(Objects.requireNonNull(words).readAllBytes(), StandardCharsets.UTF_8);
      return text.lines()
          .filter(line -> !line.startsWith("#"))
          .flatMap(line -> Stream.of(line.split(" ")))
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// A name that is no type of ours has been renamed, or belongs into `foreign-names.txt`.
  @ParameterizedTest
  @MethodSource("pages")
  void everyTypeInBackticksExists(Path page) {
    assertThat(names(page))
        .as(Pages.name(page))
        .filteredOn(name -> !TYPES.contains(name) && !FOREIGN.contains(name))
        .isEmpty();
  }

  private static Set<String> names(Path page) {
    return CODE.matcher(Pages.prose(page))
        .results()
        .flatMap(code -> NAME.matcher(code.group(1)).results())
        .map(found -> found.group(1))
        .filter(name -> !name.equals(name.toUpperCase(Locale.ROOT)))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void everyForeignNameIsUsed() {
    Set<String> used =
        Pages.all().stream().flatMap(page -> names(page).stream()).collect(Collectors.toSet());
    assertThat(FOREIGN).isSubsetOf(used).doesNotContainAnyElementsOf(TYPES);
  }

  @ParameterizedTest
  @MethodSource("pagesAndNotes")
  void everyLinkLeadsSomewhere(Path page) {
    List<String> broken = new ArrayList<>();
    for (MatchResult link : LINK.matcher(Pages.prose(page)).results().toList()) {
      String file = link.group(1);
      Path target = file.isEmpty() ? page : page.resolveSibling(file).normalize();
      boolean isOutside = file.contains("://");
      if (!isOutside && !(Files.exists(target) && hasHeading(target, link.group(2)))) {
        broken.add(link.group());
      }
    }
    assertThat(broken).as(Pages.name(page)).isEmpty();
  }

  private static boolean hasHeading(Path page, String anchor) {
    return anchor == null
        || Pages.read(page)
            .lines()
            .filter(line -> line.startsWith("#"))
            .map(line -> line.replaceFirst("^#+ ", "").toLowerCase(Locale.ROOT))
            .map(line -> line.replaceAll("[^\\w -]", "").replace(' ', '-'))
            .anyMatch(anchor::equals);
  }

  @ParameterizedTest
  @MethodSource("pagesAndNotes")
  void noLineIsTooWide(Path page) {
    assertThat(Pages.read(page).lines())
        .as(Pages.name(page))
        .filteredOn(line -> !line.startsWith("|"))
        .allMatch(line -> line.length() <= WIDEST_LINE);
  }

  /// The table of behaviours is as long as the list that it answers, and README and CONTRIBUTING
  /// have many subjects.
  @ParameterizedTest
  @MethodSource("pages")
  void aPageIsShort(Path page) {
    Path docs = Pages.ROOT.resolve("docs");
    if (page.startsWith(docs) && !page.endsWith("behaviours.md")) {
      assertThat(Pages.read(page).lines().count()).isLessThanOrEqualTo(LONGEST_PAGE);
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void aPageIsInAChapterOfTheSite(Path page) {
    Path docs = Pages.ROOT.resolve("docs");
    String chapters = Pages.read(Pages.ROOT.resolve("config/site/.vitepress/config.js"));
    if (page.startsWith(docs)) {
      String name = Pages.name(page).replace(".md", "");
      assertThat(chapters).contains("'" + name + "'");
    }
  }
}
