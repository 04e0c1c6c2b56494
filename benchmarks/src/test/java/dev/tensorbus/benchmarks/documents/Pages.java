// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The project's documents. Tests run in a module's folder, so the root is one above.
final class Pages {
  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private static final Pattern FENCED = Pattern.compile("(?ms)^ *```.*?^ *```$");
  private static final Pattern INDENTED = Pattern.compile("(?m)^ {4}.*$");

  private Pages() {}

  /// README, CONTRIBUTING and all pages under docs.
  static List<Path> all() {
    try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      Stream<Path> pages = docs.filter(file -> file.toString().endsWith(".md")).sorted();
      Stream<Path> top = Stream.of(ROOT.resolve("README.md"), ROOT.resolve("CONTRIBUTING.md"));
      return Stream.concat(top, pages).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// All pages, and the notes of experiments.
  static List<Path> withNotes() {
    try (Stream<Path> notes = Files.list(ROOT.resolve("benchmarks").resolve("notes"))) {
      return Stream.concat(all().stream(), notes.sorted()).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Checks that a page is what a test has made, which it writes into `target` otherwise.
  ///
  /// @param source what the page is made of
  static void requireMade(Path page, String made, String source) throws IOException {
    Path copy = Files.createDirectories(Path.of("target")).resolve(page.getFileName());
    Files.writeString(copy, made);
    assertThat(Files.exists(page) ? read(page) : "")
        .as("the page differs from %s; run: cp %s %s", source, copy.toAbsolutePath(), page)
        .isEqualTo(made);
  }

  /// A page without its blocks of code: the text and its inline code.
  static String prose(Path page) {
    return INDENTED.matcher(FENCED.matcher(read(page)).replaceAll("")).replaceAll("");
  }

  /// How messages name a page.
  static String name(Path page) {
    return ROOT.relativize(page).toString();
  }
}
