// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.release;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// A folder that a release was deployed into.
///
/// @param folder the root of a Maven repository
record Staging(Path folder) {
  /// All files by their paths, less the repository's own, which tell when it was written.
  Map<String, byte[]> files() {
    Map<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        if (!file.getFileName().toString().startsWith("maven-metadata.xml")) {
          files.put(folder.relativize(file).toString(), Files.readAllBytes(file));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return files;
  }

  List<Pom> poms() {
    return files().keySet().stream()
        .filter(name -> name.endsWith(".pom"))
        .map(name -> Pom.read(folder.resolve(name)))
        .toList();
  }
}
