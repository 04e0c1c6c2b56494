// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.world;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The process session of a worker: the worker and all its descendants that have not created a new
/// session. The session outlives the worker, so the processes that a killed worker leaves behind
/// can be found and ended. Modelled on torchrun's `start_new_session`.
///
/// Works only if `setsid` exists, as on Linux. On other systems, these processes stay alive.
final class ProcessSession {
  private static final Path SETSID = Path.of("/usr/bin/setsid");
  private static final boolean EXISTS = Files.isExecutable(SETSID);

  /// Terminates the processes of a session, and kills those still alive after two seconds.
  private static final String END =
      """
      kill -s TERM -- "-$1" || exit 0
      for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20
      do
        sleep 0.1
        kill -s 0 -- "-$1" || exit 0
      done
      kill -s KILL -- "-$1"
      """;

  private ProcessSession() {}

  /// Returns the command that runs `words` in a new session, whose id is the process id.
  static List<String> command(List<String> words) {
    List<String> command = new ArrayList<>();
    if (EXISTS) {
      command.add(SETSID.toString()); // becomes the worker by exec, so both have the same pid
    }
    command.addAll(words);
    return command;
  }

  /// Terminates the processes that a worker has left behind, if any. Blocks.
  static void end(long worker) throws InterruptedException {
    run(END, worker);
  }

  /// Kills the processes of a worker's session.
  static void kill(long worker) {
    try {
      run("kill -s KILL -- \"-$1\"", worker);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void run(String script, long worker) throws InterruptedException {
    if (!EXISTS) {
      return;
    }
    try {
      new ProcessBuilder("sh", "-c", script, "sh", Long.toString(worker))
          .redirectOutput(Redirect.DISCARD)
          .redirectError(Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException e) {
      return; // no shell: the processes stay alive
    }
  }
}
