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

/// Where worlds run and leave things: their working directory, their folder of temporary files,
/// shared memory, the table of processes.
///
/// @param folder for the files of this run; `reports` in it has what each process printed
/// @param hasClocks whether the wall clock of one process can be changed
/// @param hasNetworks whether workers can have network namespaces of their own
record Site(Path folder, boolean hasClocks, boolean hasNetworks) {
  private static final Path MEMORY = Path.of("/dev/shm");

  /// Signal 2 in a mask of signals.
  private static final long SIGINT = 1 << 1;

  /// Makes one for this run.
  static Site make() throws IOException {
    Path folder = Files.createTempDirectory("tensorbus-chaos-");
    for (String name : List.of("temporary", "reports", "work", "directory")) {
      Files.createDirectory(folder.resolve(name));
    }
    return new Site(folder, WallClock.isAvailable(), NetworkNamespaces.isAvailable());
  }

  /// Whether this process was started with SIGINT ignored, as `nohup` and a script's `&` do it. A
  /// JVM that it starts inherits that and never hears Ctrl-C.
  static boolean ignoresInterrupts() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
      return lines
          .filter(line -> line.startsWith("SigIgn:"))
          .map(line -> Long.parseUnsignedLong(line.substring(line.indexOf('\t') + 1), 16))
          .anyMatch(signals -> (signals & SIGINT) != 0);
    } catch (IOException e) {
      return false; // no Linux
    }
  }

  /// The folder that the programs take for that of temporary files.
  Path temporary() {
    return folder.resolve("temporary");
  }

  Path reports() {
    return folder.resolve("reports");
  }

  /// For what the programs are asked to write.
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

  /// All that lies in the folder of temporary files and in the working directory.
  List<String> files() {
    return Stream.of(temporary(), directory())
        .flatMap(place -> namesIn(place, name -> true).stream())
        .toList();
  }

  /// The lanes in shared memory of these processes.
  static List<String> lanesOf(List<Long> pids) {
    return namesIn(
        MEMORY, name -> pids.stream().anyMatch(pid -> name.startsWith("tensorbus-" + pid + "-")));
  }

  /// Processes of this run that live.
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

  /// Removes everything.
  void remove() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
