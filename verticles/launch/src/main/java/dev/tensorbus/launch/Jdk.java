// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.launch;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;

/// A JDK on this machine, as described by its `release` file.
///
/// @param home its folder
/// @param feature its feature version, such as 25
record Jdk(Path home, int feature) {
  static final int NEEDED = 25;
  private static final String VECTOR = "jdk.incubator.vector";

  /// Returns the JDK in a folder; empty if the folder contains none or one that cannot run our
  /// programs.
  static Optional<Jdk> in(Path home) {
    Properties release = new Properties();
    try (Reader reader = Files.newBufferedReader(home.resolve("release"))) {
      release.load(reader);
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty();
    }
    int feature = feature(text(release, "JAVA_VERSION"));
    String modules = text(release, "MODULES");
    boolean fits = feature >= NEEDED && (modules.isEmpty() || modules.contains(VECTOR));
    return fits && Files.isExecutable(javaOf(home))
        ? Optional.of(new Jdk(home, feature))
        : Optional.empty();
  }

  Path java() {
    return javaOf(home);
  }

  static Path javaOf(Path home) {
    Path windows = home.resolve("bin").resolve("java.exe");
    return Files.exists(windows) ? windows : home.resolve("bin").resolve("java");
  }

  private static String text(Properties release, String key) {
    return release.getProperty(key, "").replace("\"", "").trim();
  }

  /// Parses the feature version: `25.0.3`, `25` and `25-ea` are 25. `1.8.0_402` is 1, which is also
  /// too old.
  private static int feature(String version) {
    String digits = version.split("[^0-9]", 2)[0];
    return digits.isEmpty() || digits.length() > 4 ? 0 : Integer.parseInt(digits);
  }
}
