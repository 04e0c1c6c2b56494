// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.world;

import dev.tensorbus.verticles.Progress;
import dev.tensorbus.verticles.log.JsonFormatter;
import dev.tensorbus.verticles.log.TextFormatter;
import dev.tensorbus.verticles.progress.Display;
import dev.tensorbus.verticles.progress.ProgressEvents;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/// A worker in a process of its own, whose output is shown under its name. The processes that the
/// worker starts end with it.
final class WorkerProcess {
  private static final int SIGNALLED = 128;

  /// How long the last output of a dead worker may take. A process that left the worker's session
  /// may hold the streams open for ever.
  private static final Duration LAST_OUTPUT = Duration.ofSeconds(1);

  private final WorkerCommand command;
  private final Process process;
  private final Display display;
  private final Share share;

  private final CompletableFuture<WorkerProcess> end = new CompletableFuture<>();
  private volatile boolean isStopped;

  private WorkerProcess(WorkerCommand command, Process process, Display display) {
    this.command = command;
    this.process = process;
    this.display = display;
    this.share = new Share(display);
  }

  static WorkerProcess start(WorkerCommand command, Display display) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(ProcessSession.command(command.words()));
    builder.environment().keySet().removeAll(command.withheld());
    builder.environment().putAll(command.environment());
    Process process = builder.start();
    process.getOutputStream().close();
    WorkerProcess worker = new WorkerProcess(command, process, display);
    Thread output = Thread.startVirtualThread(worker::showOutput);
    Thread errors = Thread.startVirtualThread(worker::showErrors);
    Thread.startVirtualThread(() -> worker.completeAfter(output, errors));
    return worker;
  }

  private void completeAfter(Thread output, Thread errors) {
    try {
      process.waitFor();
      ProcessSession.end(process.pid());
      output.join(LAST_OUTPUT);
      errors.join(LAST_OUTPUT);
      end.complete(this);
    } catch (InterruptedException e) {
      end.completeExceptionally(e);
    }
  }

  private void showOutput() {
    forEachLine(
        process.inputReader(),
        line -> {
          if (!ProgressEvents.relay(line, share)) {
            display.say(TextFormatter.mark(name()) + line);
          }
        });
  }

  private void showErrors() {
    forEachLine(process.errorReader(), line -> display.warn(named(line)));
  }

  /// Log lines have the worker's name already.
  private String named(String line) {
    String mark = TextFormatter.mark(name());
    return line.startsWith(mark) || JsonFormatter.wrote(line) ? line : mark + line;
  }

  private static void forEachLine(BufferedReader reader, Consumer<String> show) {
    try (reader) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        show.accept(line);
      }
    } catch (IOException e) {
      return; // a process that is killed may leave its stream so
    }
  }

  WorkerCommand command() {
    return command;
  }

  int rank() {
    return command.rank();
  }

  String name() {
    return command.name();
  }

  boolean hasFailed() {
    return process.exitValue() != 0;
  }

  /// Whether it failed before it was told to stop.
  boolean hasFailedUnasked() {
    return end.isDone() && hasFailed() && !isStopped;
  }

  /// How it ended, for the user.
  String manner() {
    int code = process.exitValue();
    return code > SIGNALLED ? "killed by signal " + (code - SIGNALLED) : "ended with code " + code;
  }

  /// Takes the steps back from the display that the worker has announced and not done.
  void dropShare() {
    share.drop();
  }

  /// The work that it has left undone, for the user; empty if it has left none.
  String undone() {
    return share.undone();
  }

  /// Complete when the worker and the processes that it started are over and its output is shown.
  CompletableFuture<WorkerProcess> end() {
    return end;
  }

  /// By its handle: `Process.destroy` would close the streams of its last words, too.
  void stop() {
    isStopped = process.isAlive();
    process.toHandle().destroy();
  }

  /// Kills the worker, unless it has ended, and the processes that it started.
  void kill() {
    if (!end.isDone()) {
      process.toHandle().destroyForcibly();
      ProcessSession.kill(process.pid());
    }
  }

  /// Counts the steps that this worker has announced and not yet done.
  private static final class Share implements Progress {
    private final Display display;
    private long planned;
    private long left;

    Share(Display display) {
      this.display = display;
    }

    @Override
    public synchronized void start(long steps) {
      planned += steps;
      left += steps;
      display.start(steps);
    }

    @Override
    public synchronized void step(int samples, float loss) {
      left--;
      display.step(samples, loss);
    }

    @Override
    public void scalar(String tag, double value) {
      display.scalar(tag, value);
    }

    @Override
    public void say(String line) {
      display.say(line);
    }

    synchronized void drop() {
      if (left > 0) {
        display.start(-left);
      }
    }

    synchronized String undone() {
      return left > 0 ? left + " of its " + planned + " steps" : "";
    }
  }
}
