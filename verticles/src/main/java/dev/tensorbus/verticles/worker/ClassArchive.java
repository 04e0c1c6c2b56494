// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.worker;

import dev.tensorbus.launch.Jvm;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Makes the archives of classes that [Jvm] starts workers from; the build runs it once the jars
/// are there. Without its archive a jar works as well, only starts slower: no reason to fail a
/// build.
final class ClassArchive {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private ClassArchive() {}

  /// Runs a [ClassArchiveRun] from each jar with the flags of a worker and records the classes it
  /// loads.
  public static void main(String[] jars) throws IOException, InterruptedException {
    Map<Path, Process> runs = new LinkedHashMap<>();
    for (String jar : jars) {
      Jvm jvm = new Jvm(Jvm.current().java(), jar);
      runs.put(jvm.archive(), record(jvm));
    }
    for (Map.Entry<Path, Process> run : runs.entrySet()) {
      Process process = run.getValue();
      if (!process.waitFor(PATIENCE) || process.exitValue() != 0) {
        process.destroyForcibly();
        System.err.println(run.getKey() + " was not made: the run that records its classes failed");
      }
    }
  }

  private static Process record(Jvm jvm) throws IOException {
    Files.deleteIfExists(jvm.archive());
    List<String> flags = List.of("-XX:ArchiveClassesAtExit=" + jvm.archive());
    return new ProcessBuilder(jvm.command(flags, ClassArchiveRun.class.getName(), List.of()))
        .redirectOutput(Redirect.DISCARD)
        .redirectError(Redirect.DISCARD)
        .start();
  }
}
