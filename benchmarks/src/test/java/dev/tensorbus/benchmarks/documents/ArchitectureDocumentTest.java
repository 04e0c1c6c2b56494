// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Whether the ways that docs/architecture.md tells of lead through classes and methods that exist.
class ArchitectureDocumentTest {
  private static final int MOST_STATIONS = 10;

  private static final Pattern STATION = Pattern.compile("(?m)^\\d+\\. `(\\w+)\\.(\\w+)`");

  private static final Pattern NUMBERED = Pattern.compile("(?m)^\\d+\\. ");

  private static final String PAGE = Pages.read(Pages.ROOT.resolve("docs/architecture.md"));

  private static final List<String> CLASSES =
      Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
          .map(Path::of)
          .flatMap(place -> classes(place).stream())
          .toList();

  /// @param type its simple name
  record Station(String type, String method) {
    @Override
    public String toString() {
      return type + "." + method;
    }
  }

  /// The names of our classes in a folder or jar.
  private static List<String> classes(Path place) {
    try {
      if (Files.isDirectory(place)) {
        return classesUnder(place);
      }
      if (!place.toString().endsWith(".jar") || !Files.exists(place)) {
        return List.of();
      }
      try (FileSystem jar = FileSystems.newFileSystem(place)) {
        return classesUnder(jar.getPath("/"));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> classesUnder(Path root) throws IOException {
    Path ours = root.resolve("dev").resolve("tensorbus");
    if (!Files.exists(ours)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(ours)) {
      return files
          .map(file -> root.relativize(file).toString())
          .filter(file -> file.endsWith(".class"))
          .map(file -> file.substring(0, file.length() - ".class".length()).replace('/', '.'))
          .toList();
    }
  }

  static List<Station> stations() {
    return stations(PAGE);
  }

  private static List<Station> stations(String text) {
    return STATION
        .matcher(text)
        .results()
        .map(found -> new Station(found.group(1), found.group(2)))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("stations")
  void theStationExists(Station station) {
    assertThat(CLASSES)
        .filteredOn(name -> name.endsWith("." + station.type))
        .as("classes of this name")
        .isNotEmpty()
        .anyMatch(name -> hasMethod(name, station.method));
  }

  /// Reads the class file: to load a class takes the modules that it uses.
  private static boolean hasMethod(String name, String method) {
    String file = "/" + name.replace('.', '/') + ".class";
    try (InputStream bytes = ArchitectureDocumentTest.class.getResourceAsStream(file)) {
      return ClassFile.of().parse(Objects.requireNonNull(bytes).readAllBytes()).methods().stream()
          .anyMatch(found -> found.methodName().equalsString(method));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void everyNumberedLineNamesAStation() {
    assertThat(NUMBERED.matcher(PAGE).results().count()).isEqualTo(stations().size());
  }

  @Test
  void thereAreFourWaysOfTenStationsAtMostAndNoneComesTwice() {
    List<List<Station>> ways =
        Stream.of(PAGE.split("(?m)^## "))
            .map(ArchitectureDocumentTest::stations)
            .filter(way -> !way.isEmpty())
            .toList();
    assertThat(ways).hasSize(4);
    assertThat(ways)
        .allSatisfy(way -> assertThat(way).hasSizeLessThanOrEqualTo(MOST_STATIONS))
        .allSatisfy(way -> assertThat(way).doesNotHaveDuplicates());
  }
}
