// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// A program of a user's, compiled and started as its reader starts it: by the launcher's command.
final class UserWorld implements AutoCloseable {
  /// For a machine that is busy with other builds.
  private static final int LONGEST_SECONDS = 240;

  private final Path log;
  private final Process process;

  private UserWorld(Path log, Process process) {
    this.log = log;
    this.process = process;
  }

  /// Compiles sources and starts a world of them.
  ///
  /// @param main the class, and what its main is given
  static UserWorld start(Map<String, String> sources, Path folder, int workers, String... main)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add("dev.tensorbus.verticles.command.Main");
    command.addAll(List.of("run", "--workers", Integer.toString(workers)));
    command.addAll(List.of(main));
    return start(sources, folder, command);
  }

  /// Compiles sources and starts one of them without a world.
  ///
  /// @param main the class, and what its main is given
  static UserWorld startAlone(Map<String, String> sources, Path folder, String... main)
      throws IOException {
    return start(sources, folder, List.of(main));
  }

  private static UserWorld start(Map<String, String> sources, Path folder, List<String> main)
      throws IOException {
    if (!sources.isEmpty()) { // else it is on the class path already
      assertThat(Compilation.errors(sources, folder)).isEmpty();
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--add-exports=java.base/jdk.internal.module=ALL-UNNAMED");
    command.add("-cp");
    command.add(folder + File.pathSeparator + System.getProperty("java.class.path"));
    command.addAll(main);
    Path log = folder.resolve("world.log");
    ProcessBuilder builder = new ProcessBuilder(command);
    return new UserWorld(
        log, builder.redirectErrorStream(true).redirectOutput(log.toFile()).start());
  }

  /// Lets it come to its end, which has to be a good one, and gives all that it printed.
  String output() throws InterruptedException {
    assertThat(process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)).as(Pages.read(log)).isTrue();
    assertThat(process.exitValue()).as(Pages.read(log)).isZero();
    return Pages.read(log);
  }

  /// All that it has printed so far.
  String printed() {
    return Pages.read(log);
  }

  /// Waits until it has printed a text.
  void await(String text) {
    while (!printed().contains(text)) {
      assertThat(isAlive()).as(printed()).isTrue();
      LockSupport.parkNanos(20_000_000); // leaves the cores to the world
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
