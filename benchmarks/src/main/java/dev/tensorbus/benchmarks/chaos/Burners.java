// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.chaos;

import java.io.IOException;
import java.util.List;

/// Processes that keep the cores of this machine busy until this object is closed.
final class Burners implements AutoCloseable {
  private final List<Process> processes;

  private Burners(List<Process> processes) {
    this.processes = processes;
  }

  /// Starts the given number of processes per core. They end with this JVM, even if it is killed.
  static Burners perCore(int number) throws IOException {
    String loop =
        "while kill -0 %d 2>/dev/null; do :; done".formatted(ProcessHandle.current().pid());
    ProcessBuilder burner = new ProcessBuilder("sh", "-c", loop);
    Process[] all = new Process[number * Runtime.getRuntime().availableProcessors()];
    for (int i = 0; i < all.length; i++) {
      all[i] = burner.start();
    }
    return new Burners(List.of(all));
  }

  @Override
  public void close() {
    processes.forEach(Process::destroyForcibly);
    processes.forEach(process -> process.onExit().join());
  }
}
