// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.chaos;

import dev.tensorbus.rpc.testing.NetworkNamespaces;
import dev.tensorbus.rpc.testing.WallClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// The places where worlds may leave something behind: their working directory, their folder of
/// temporary files, shared memory and the process table.
///
/// @param folder the folder of this run; its subfolder `reports` has the output of each process
/// @param hasClocks whether the wall clock of a single process can be changed
/// @param hasNetworks whether workers can have separate network namespaces
record Site(Path folder, boolean hasClocks, boolean hasNetworks) {
  private static final Path MEMORY = Path.of("/dev/shm");

  /// The bit of SIGINT in a signal mask.
  private static final long SIGINT = 1 << 1;

  /// Creates the folders of this run.
  static Site make() throws IOException {
    Path folder = Files.createTempDirectory("tensorbus-chaos-");
    for (String name : List.of("temporary", "reports", "work", "directory")) {
      Files.createDirectory(folder.resolve(name));
    }
    return new Site(folder, WallClock.isAvailable(), NetworkNamespaces.isAvailable());
  }

  /// Returns whether this process was started with SIGINT ignored, as by `&` in a script. If so,
  /// its child JVMs inherit this and never receive Ctrl-C.
  static boolean ignoresInterrupts() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
      return lines
          .filter(line -> line.startsWith("SigIgn:"))
          .map(line -> Long.parseUnsignedLong(line.substring(line.indexOf('\t') + 1), 16))
          .anyMatch(signals -> (signals & SIGINT) != 0);
    } catch (IOException e) {
      return false; // not Linux
    }
  }

  /// Returns the folder for the temporary files of the programs.
  Path temporary() {
    return folder.resolve("temporary");
  }

  Path reports() {
    return folder.resolve("reports");
  }

  /// Returns the folder for the files that the programs are told to write.
  Path work() {
    return folder.resolve("work");
  }

  /// Prepares a process in the working directory of this run.
  ProcessBuilder process(List<String> command) {
    return new ProcessBuilder(command).directory(directory().toFile());
  }

  private Path directory() {
    return folder.resolve("directory");
  }

  /// Returns the files in the folder of temporary files and in the working directory.
  List<String> files() {
    return Stream.of(temporary(), directory())
        .flatMap(place -> namesIn(place, name -> true).stream())
        .toList();
  }

  /// Returns the shared-memory lanes of these processes.
  static List<String> lanesOf(List<Long> pids) {
    return namesIn(
        MEMORY, name -> pids.stream().anyMatch(pid -> name.startsWith("tensorbus-" + pid + "-")));
  }

  /// Returns the processes of this run that are alive.
  List<String> processes() {
    String flag = "-Djava.io.tmpdir=" + temporary();
    return ProcessHandle.allProcesses()
        .filter(process -> process.info().commandLine().filter(c -> c.contains(flag)).isPresent())
        .map(process -> "process " + process.pid())
        .toList();
  }

  private static List<String> namesIn(Path folder, Predicate<String> isMeant) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> isMeant.test(file.getFileName().toString()))
          .map(Path::toString)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Deletes the folder.
  void remove() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
