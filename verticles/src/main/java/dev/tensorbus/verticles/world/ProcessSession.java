// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.world;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The session of a worker: it and all processes that it has started, directly or not, and that
/// made no session of their own. It outlives the worker, so that the processes that a killed worker
/// leaves can be found and ended. After torchrun's `start_new_session`.
///
/// Only where there is `setsid`, as on Linux. Elsewhere such processes stay.
final class ProcessSession {
  private static final Path SETSID = Path.of("/usr/bin/setsid");
  private static final boolean EXISTS = Files.isExecutable(SETSID);

  /// Asks the processes of a session to end, and kills those that have not after two seconds.
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

  /// The command that runs `words` in a session of its own, whose id is that of the process.
  static List<String> command(List<String> words) {
    List<String> command = new ArrayList<>();
    if (EXISTS) {
      command.add(SETSID.toString()); // which becomes the worker, without a process between
    }
    command.addAll(words);
    return command;
  }

  /// Ends the processes that a worker has left behind, if there are any. Blocks.
  static void end(long worker) throws InterruptedException {
    run(END, worker);
  }

  /// Ends them at once.
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
      return; // no shell: they stay
    }
  }
}
