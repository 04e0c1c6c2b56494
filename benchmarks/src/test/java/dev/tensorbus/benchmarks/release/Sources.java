// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.release;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;

/// A copy of the project's sources under the version of a release, as docs/releasing.md makes it.
final class Sources {
  private static final Set<String> BUILT =
      Set.of(".git", ".building", ".idea", "node_modules", "target");

  private Sources() {}

  /// Copies everything that no build has made.
  static void copy(Path from, Path to, String snapshot, String version) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
              throws IOException {
            if (BUILT.contains(folder.getFileName().toString())) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            Files.createDirectories(to.resolve(from.relativize(folder)));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            copyFile(file, to.resolve(from.relativize(file)), snapshot, version);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private static void copyFile(Path from, Path to, String snapshot, String version)
      throws IOException {
    if (from.endsWith("pom.xml") || from.endsWith("README.md")) {
      Files.writeString(to, Files.readString(from).replace(snapshot, version));
    } else {
      Files.copy(from, to);
    }
  }
}
