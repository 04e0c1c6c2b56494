// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.release;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// Maven as a stranger has it: the local repository has what others published and nothing of ours.
///
/// @param repository the local repository
record Maven(Path repository) {
  /// For a machine that is busy with other builds.
  private static final int LONGEST_MINUTES = 15;

  private static final Path OURS = Path.of("dev", "tensorbus");

  /// The JDK of this JVM, which is the one that a release is built by.
  private static final Map<String, String> NEWEST_JDK =
      Map.of("JAVA_HOME", System.getProperty("java.home"));

  /// A command that has ended.
  record Outcome(int exitCode, String output) {
    boolean isGood() {
      return exitCode == 0;
    }
  }

  /// With a repository of links into the developer's, where downloads go too.
  static Maven in(Path folder) throws IOException {
    Path repository = folder.resolve("repository");
    linkAllBut(OURS, developersRepository(), repository);
    return new Maven(repository);
  }

  /// Surefire tells its tests which one the build uses.
  private static Path developersRepository() {
    String home = System.getProperty("user.home");
    return Path.of(
        Objects.requireNonNullElse(
            System.getProperty("localRepository"), home + "/.m2/repository"));
  }

  private static void linkAllBut(Path hidden, Path from, Path to) throws IOException {
    Files.createDirectories(to);
    if (!Files.isDirectory(from)) {
      return;
    }
    Path first = hidden.getName(0);
    try (Stream<Path> children = Files.list(from)) {
      for (Path child : children.filter(Files::isDirectory).toList()) {
        if (!child.endsWith(first)) {
          Files.createSymbolicLink(to.resolve(child.getFileName()), child);
        }
      }
    }
    if (hidden.getNameCount() > 1) {
      linkAllBut(first.relativize(hidden), from.resolve(first), to.resolve(first));
    }
  }

  /// Takes the links away, and leaves what they lead to.
  void unlink() throws IOException {
    try (Stream<Path> files = Files.walk(repository)) {
      for (Path link : files.filter(Files::isSymbolicLink).toList()) {
        Files.delete(link);
      }
    }
  }

  /// A build on this JVM's JDK, as a release is.
  Outcome build(Path folder, String... arguments) throws IOException, InterruptedException {
    Stream<String> command = Stream.concat(Stream.of("mvn", "-B", "-ntp"), Stream.of(arguments));
    return run(folder, NEWEST_JDK, command.toList());
  }

  /// Lines as they are typed, on the machine's own `java`.
  Outcome typed(Path folder, String lines) throws IOException, InterruptedException {
    return run(folder, Map.of(), List.of("sh", "-e", "-c", lines));
  }

  private Outcome run(Path folder, Map<String, String> environment, List<String> command)
      throws IOException, InterruptedException {
    Path log = Files.createTempFile(repository.getParent(), "maven", ".log");
    var builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().putAll(environment);
    // Not arguments: README's commands run as they stand. Maven ends before C2 would pay off.
    String flags = "-XX:TieredStopAtLevel=1 -Dmaven.repo.local=" + repository;
    builder.environment().merge("MAVEN_OPTS", flags, (mine, more) -> mine + " " + more);
    Process process = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      boolean hasEnded = process.waitFor(LONGEST_MINUTES, TimeUnit.MINUTES);
      return new Outcome(hasEnded ? process.exitValue() : -1, Files.readString(log));
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }
}
