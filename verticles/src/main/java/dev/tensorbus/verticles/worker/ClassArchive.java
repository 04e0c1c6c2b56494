// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.worker;

import dev.tensorbus.launch.Jvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Creates the archives for class data sharing (CDS) with which [Jvm] starts workers. The build
/// runs this class on the finished jars. Failures are only reported: a jar also works without its
/// archive, but starts more slowly.
final class ClassArchive {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private ClassArchive() {}

  /// Runs [ClassArchiveRun] from each existing jar, with a worker's flags, and archives the loaded
  /// classes.
  public static void main(String[] jars) throws IOException, InterruptedException {
    Map<Path, Process> runs = new LinkedHashMap<>();
    for (String jar : jars) {
      if (!Files.exists(Path.of(jar))) {
        continue; // not part of this build
      }
      Jvm jvm = new Jvm(Jvm.current().java(), jar);
      runs.put(jvm.archive(), record(jvm));
    }
    List<Path> failed = new ArrayList<>();
    for (Map.Entry<Path, Process> run : runs.entrySet()) {
      Process process = run.getValue();
      if (process.waitFor(PATIENCE) && process.exitValue() == 0) {
        Files.deleteIfExists(log(run.getKey()));
      } else {
        process.destroyForcibly();
        failed.add(run.getKey());
      }
    }
    if (!failed.isEmpty()) {
      System.err.println(
          ("note: no class data archive was created for %s; their programs run, but start more"
                  + " slowly; see %s for the reason")
              .formatted(
                  failed.stream()
                      .map(archive -> archive.getFileName().toString().replace(".jsa", ".jar"))
                      .collect(Collectors.joining(", ")),
                  log(failed.getFirst())));
    }
  }

  /// Returns the file for the output of the run that creates this archive.
  private static Path log(Path archive) {
    return archive.resolveSibling(archive.getFileName() + ".log");
  }

  private static Process record(Jvm jvm) throws IOException {
    Files.deleteIfExists(jvm.archive());
    List<String> flags = List.of("-XX:ArchiveClassesAtExit=" + jvm.archive());
    return new ProcessBuilder(jvm.command(flags, ClassArchiveRun.class.getName(), List.of()))
        .redirectErrorStream(true)
        .redirectOutput(log(jvm.archive()).toFile())
        .start();
  }
}
