// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.chaos;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/// A worker process, started as a user would start it, and its output.
final class RankProcess {
  private final int rank;
  private final boolean isRestarted;
  private final Process process;
  private final List<String> lines = Collections.synchronizedList(new ArrayList<>());
  private final Thread reader;
  private boolean isKilled;
  private boolean isHung;

  private RankProcess(int rank, boolean isRestarted, Process process) {
    this.rank = rank;
    this.isRestarted = isRestarted;
    this.process = process;
    this.reader = Thread.ofVirtual().start(this::read);
  }

  static RankProcess start(int rank, boolean isRestarted, ProcessBuilder builder)
      throws IOException {
    return new RankProcess(rank, isRestarted, builder.redirectErrorStream(true).start());
  }

  private void read() {
    try (BufferedReader reading = process.inputReader()) {
      for (String line = reading.readLine(); line != null; line = reading.readLine()) {
        lines.add(line);
      }
    } catch (IOException e) {
      return; // a killed process may leave its stream broken
    }
  }

  int rank() {
    return rank;
  }

  long pid() {
    return process.pid();
  }

  /// Returns the descendants of the process.
  List<ProcessHandle> descendants() {
    return process.descendants().toList();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  boolean hasSaid(String text) {
    synchronized (lines) {
      return lines.stream().anyMatch(line -> line.contains(text));
    }
  }

  /// Returns the output so far.
  List<String> lines() {
    synchronized (lines) {
      return List.copyOf(lines);
    }
  }

  /// Kills the process, if it is alive, and waits for its end.
  void kill() {
    isKilled |= process.isAlive();
    process.toHandle().destroyForcibly();
    process.onExit().join();
  }

  /// Sends a signal such as `STOP`.
  void signal(String name) throws IOException, InterruptedException {
    signal(name, List.of(handle()));
  }

  /// Sends a signal to several processes at once.
  static void signal(String name, List<ProcessHandle> processes)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("kill", "-" + name));
    processes.forEach(process -> command.add(Long.toString(process.pid())));
    new ProcessBuilder(command).redirectErrorStream(true).start().waitFor();
  }

  ProcessHandle handle() {
    return process.toHandle();
  }

  /// Waits for the process to end, until `deadline` on the clock of [System#nanoTime]. If it has
  /// not ended by then, writes a thread dump to a file and kills it.
  void awaitEnd(long deadline, Path dump) throws IOException, InterruptedException {
    long left = Math.max(deadline - System.nanoTime(), 0);
    if (!process.waitFor(left, TimeUnit.NANOSECONDS)) {
      isHung = true;
      jcmd("Thread.print", dump.resolveSibling(dump.getFileName() + ".platform"));
      jcmd("Thread.dump_to_file", dump.resolveSibling(dump.getFileName() + ".command"), dump);
      process.toHandle().destroyForcibly();
      process.waitFor();
    }
    reader.join();
  }

  private void jcmd(String request, Path output, Object... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString());
    command.addAll(List.of(Long.toString(pid()), request));
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    Process asked =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    if (!asked.waitFor(20, TimeUnit.SECONDS)) {
      asked.destroyForcibly();
    }
  }

  /// Returns how the process ended; must be called after [#awaitEnd].
  Outcome.End end() {
    OptionalInt code = isHung ? OptionalInt.empty() : OptionalInt.of(process.exitValue());
    return new Outcome.End(rank, isRestarted, isKilled, code, lines());
  }
}
