// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.command;

import dev.tensorbus.launch.Jvm;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.List;

/// Makes the archive that [Jvm] starts workers from; the build runs it once the jar is there.
final class ClassArchive {
  private ClassArchive() {}

  /// Runs a [Rehearsal] with the flags of a worker and records the classes that it loads.
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Jvm jvm = Jvm.current();
    jvm.archive().toFile().delete();
    int code =
        new ProcessBuilder(
                jvm.command(
                    List.of("-XX:ArchiveClassesAtExit=" + jvm.archive()),
                    Rehearsal.class.getName(),
                    List.of()))
            .redirectOutput(Redirect.DISCARD)
            .redirectError(Redirect.DISCARD)
            .start()
            .waitFor();
    if (code != 0) {
      System.err.println("error: the rehearsal for " + jvm.archive() + " ended with code " + code);
    }
    System.exit(code);
  }
}
