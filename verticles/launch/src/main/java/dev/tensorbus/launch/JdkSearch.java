// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.launch;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Finds a JDK that is recent enough. In order of preference: the one named by the user, this JVM's
/// own, `JAVA_HOME`, and the oldest suitable one in the usual folders, because we test with the
/// oldest version.
///
/// @param environment the environment variables
/// @param own the home of this JVM
/// @param shelves folders in which installers put JDKs side by side
record JdkSearch(Map<String, String> environment, Path own, List<Path> shelves) {
  private static final String CHOSEN = "TENSORBUS_JAVA_HOME";
  private static final List<String> INSIDE =
      List.of("", "Contents/Home", "libexec/openjdk.jdk/Contents/Home");

  static JdkSearch onThisMachine() {
    Path own = Path.of(System.getProperty("java.home"));
    return new JdkSearch(System.getenv(), own, shelves(own, System.getProperty("user.home")));
  }

  private static List<Path> shelves(Path own, String user) {
    List<Path> shelves = new ArrayList<>();
    if (own.getParent() != null) {
      shelves.add(own.getParent());
    }
    for (String folder : List.of(".sdkman/candidates/java", ".jdks", ".gradle/jdks")) {
      shelves.add(Path.of(user, folder));
    }
    shelves.add(Path.of(user, "Library", "Java", "JavaVirtualMachines"));
    for (String folder : List.of("/usr/lib/jvm", "/usr/lib64/jvm", "/usr/java", "/opt/java")) {
      shelves.add(Path.of(folder));
    }
    shelves.add(Path.of("/Library/Java/JavaVirtualMachines"));
    shelves.add(Path.of("/opt/homebrew/opt"));
    for (String vendor : List.of("Java", "Eclipse Adoptium", "Microsoft", "Zulu")) {
      shelves.add(Path.of("C:\\Program Files\\" + vendor));
    }
    return shelves;
  }

  /// @throws NoJdkException if there is no suitable JDK, or the one that the user names is not
  ///     suitable
  Jdk find() throws NoJdkException {
    Optional<Path> chosen = variable(CHOSEN);
    if (chosen.isPresent()) {
      return Jdk.in(chosen.get()).orElseThrow(() -> new NoJdkException(misfit(chosen.get())));
    }
    return Jdk.in(own)
        .or(() -> variable("JAVA_HOME").flatMap(Jdk::in))
        .or(this::onShelves)
        .orElseThrow(() -> new NoJdkException(none()));
  }

  private Optional<Path> variable(String name) {
    String value = environment.get(name);
    return value == null || value.isBlank() ? Optional.empty() : Optional.of(Path.of(value));
  }

  private Optional<Jdk> onShelves() {
    return shelves.stream()
        .flatMap(shelf -> homesOn(shelf).stream())
        .flatMap(home -> Jdk.in(home).stream())
        .min(Comparator.comparingInt(Jdk::feature).thenComparing(Jdk::home));
  }

  private static List<Path> homesOn(Path shelf) {
    List<Path> homes = new ArrayList<>();
    if (!Files.isDirectory(shelf)) {
      return homes;
    }
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(shelf)) {
      for (Path folder : folders) {
        INSIDE.forEach(inside -> homes.add(folder.resolve(inside)));
      }
    } catch (IOException e) {
      return homes; // ignore an unreadable folder
    }
    return homes;
  }

  private static String misfit(Path home) {
    return CHOSEN
        + " is "
        + home
        + ", which is not a JDK "
        + Jdk.NEEDED
        + " or newer with the module"
        + " jdk.incubator.vector; set it to the folder of such a JDK";
  }

  private String none() {
    return "Tensorbus needs a JDK "
        + Jdk.NEEDED
        + " or newer and found none (java is "
        + own
        + "); install one, or set "
        + CHOSEN
        + " to its folder";
  }
}
