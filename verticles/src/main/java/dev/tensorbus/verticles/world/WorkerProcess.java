// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.world;

import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.thread.Threads;
import dev.tensorbus.verticles.log.JsonFormatter;
import dev.tensorbus.verticles.log.TextFormatter;
import dev.tensorbus.verticles.progress.Display;
import dev.tensorbus.verticles.progress.ProgressEvents;
import dev.tensorbus.verticles.progress.Stage;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/// A worker process. Its output is prefixed with the worker's name, and all processes that the
/// worker starts end with it.
final class WorkerProcess {
  private static final int SIGNALLED = 128;

  /// The maximum wait for the last output of a dead worker. A process that left the worker's
  /// session may hold the streams open forever.
  private static final Duration LAST_OUTPUT = Duration.ofSeconds(1);

  private final WorkerCommand command;
  private final Process process;
  private final Display display;
  private final Share share;

  private final CompletableFuture<WorkerProcess> ready = new CompletableFuture<>();
  private final CompletableFuture<WorkerProcess> finished = new CompletableFuture<>();
  private final CompletableFuture<WorkerProcess> end = new CompletableFuture<>();
  private volatile boolean isStopped;

  private WorkerProcess(WorkerCommand command, Process process, Display display) {
    this.command = command;
    this.process = process;
    this.display = display;
    this.share = new Share(display);
  }

  /// Starts a worker.
  ///
  /// @param variables environment variables in addition to those of the command
  static WorkerProcess start(WorkerCommand command, Map<String, String> variables, Display display)
      throws IOException {
    ProcessBuilder builder = new ProcessBuilder(ProcessSession.command(command.words()));
    builder.environment().keySet().removeAll(command.withheld());
    builder.environment().putAll(command.environment());
    builder.environment().putAll(variables);
    Process process = builder.start();
    process.getOutputStream().close();
    WorkerProcess worker = new WorkerProcess(command, process, display);
    Thread output = Threads.system().start("output of " + worker.name(), worker::showOutput);
    Thread errors = Threads.system().start("errors of " + worker.name(), worker::showErrors);
    Threads.system().start("end of " + worker.name(), () -> worker.completeAfter(output, errors));
    return worker;
  }

  private void completeAfter(Thread output, Thread errors) {
    try {
      if (process.waitFor() == 0) {
        finished.complete(this);
      }
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
          if (!ProgressEvents.relay(line, share, this::reach)) {
            display.say(TextFormatter.mark(name()) + line);
          }
        });
  }

  private void reach(Stage stage) {
    switch (stage) {
      case READY -> ready.complete(this);
      case FINISHED -> finished.complete(this);
    }
  }

  private void showErrors() {
    forEachLine(process.errorReader(), line -> display.warn(named(line)));
  }

  /// Prefixes a line with the worker's name, unless it is a log line, which has the name already.
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
      return; // a killed process may leave its stream broken
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

  /// Returns whether the worker, which has ended, did so before it had finished.
  boolean hasFailed() {
    return !finished.isDone();
  }

  /// Returns whether the worker failed before it was told to stop.
  boolean hasFailedUnasked() {
    return end.isDone() && hasFailed() && !isStopped;
  }

  /// Describes how the worker ended.
  String manner() {
    if (isStopped) {
      return "stopped before it had joined again";
    }
    int code = process.exitValue();
    return "exit code "
        + code
        + (code > SIGNALLED ? ", killed by signal " + (code - SIGNALLED) : "");
  }

  /// Subtracts the steps that the worker has announced but not done from the display's total.
  void dropShare() {
    share.drop();
  }

  /// Describes the work that the worker has not done; empty if it has done all.
  String undone() {
    return share.undone();
  }

  /// Returns a future that completes when all workers of the world have joined this one. It never
  /// does so in a program without [dev.tensorbus.rpc.Rpc#run].
  CompletableFuture<WorkerProcess> ready() {
    return ready;
  }

  /// Returns a future that completes when the worker has ended with code 0, or has nothing left but
  /// its page. How it ends after that does not matter.
  CompletableFuture<WorkerProcess> finished() {
    return finished;
  }

  /// Returns a future that completes when the worker and its child processes have ended and its
  /// output has been shown.
  CompletableFuture<WorkerProcess> end() {
    return end;
  }

  /// Terminates the worker. Uses its handle, because `Process.destroy` would also close the streams
  /// and lose its last output.
  void stop() {
    if (process.isAlive()) {
      isStopped = true;
    }
    process.toHandle().destroy();
  }

  /// Kills the worker and its child processes, unless it has ended.
  void kill() {
    if (!end.isDone()) {
      process.toHandle().destroyForcibly();
      ProcessSession.kill(process.pid());
    }
  }

  /// Forwards the progress of this worker and counts the steps that it has announced but not done.
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
