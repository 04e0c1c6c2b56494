// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.testing;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A test program in a separate JVM with the flags and class path of this JVM. A test can kill or
/// freeze the program. It exits when its standard input is closed (see [#awaitEnd]), so that it
/// never outlives the tests.
public final class ForkedJvm implements AutoCloseable {
  private static final Set<String> RUN = Set.of("-jar", "-cp", "-classpath");

  private final Process process;

  private ForkedJvm(Process process) {
    this.process = process;
  }

  /// Starts a program whose output is printed by this process.
  public static ForkedJvm start(Class<?> main, String... arguments) {
    return start(Map.of(), main, arguments);
  }

  /// Starts a program with additional environment variables.
  public static ForkedJvm start(
      Map<String, String> environment, Class<?> main, String... arguments) {
    ProcessBuilder process =
        new ProcessBuilder(command(main, arguments))
            .redirectOutput(ProcessBuilder.Redirect.INHERIT);
    process.environment().putAll(environment);
    return start(process);
  }

  /// Starts a program with which the test communicates through its standard input and output.
  public static ForkedJvm startPiped(Class<?> main, String... arguments) {
    return start(new ProcessBuilder(command(main, arguments)));
  }

  /// Starts a program in a network namespace. The test communicates with it through its standard
  /// input and output.
  public static ForkedJvm start(
      NetworkNamespaces network, int rank, Class<?> main, String... arguments) {
    return start(new ProcessBuilder(network.in(rank, command(main, arguments))));
  }

  private static ForkedJvm start(ProcessBuilder process) {
    try {
      return new ForkedJvm(process.redirectError(ProcessBuilder.Redirect.INHERIT).start());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start " + String.join(" ", process.command()), e);
    }
  }

  private static List<String> command(Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags());
    command.add("-XX:TieredStopAtLevel=1"); // the program ends before C2 would pay off
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    return command;
  }

  /// Waits until the parent process closes this program's standard input, and then exits
  /// immediately. Must be the last step of a test program.
  public static void awaitEnd() {
    try {
      System.in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      Runtime.getRuntime().halt(0);
    }
  }

  /// Returns the flags of this JVM, which precede the class or module on its command line.
  private static List<String> flags() {
    String[] own = ProcessHandle.current().info().arguments().orElse(new String[0]);
    return Arrays.stream(own)
        .takeWhile(argument -> argument.startsWith("-") && !RUN.contains(argument))
        .filter(flag -> !flag.startsWith("-agentlib")) // two JVMs cannot share a debugger
        .toList();
  }

  /// Returns the id of the process.
  public long pid() {
    return process.pid();
  }

  /// Returns a writer to the program's standard input.
  public BufferedWriter input() {
    return process.outputWriter();
  }

  /// Returns a reader of the program's standard output, if the program was started with pipes.
  public BufferedReader output() {
    return process.inputReader();
  }

  /// Returns whether the process is running.
  public boolean isAlive() {
    return process.isAlive();
  }

  /// Returns the CPU time of the process.
  public Duration cpuTime() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /// Kills the process without a shutdown. Blocks until it is gone.
  public void kill() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Suspends the process: its sockets stay open and silent.
  public void freeze() {
    signal("STOP");
  }

  /// Resumes the process after [#freeze].
  public void thaw() {
    signal("CONT");
  }

  private void signal(String name) {
    List<String> command = List.of("kill", "-" + name, Long.toString(pid()));
    try {
      int status = new ProcessBuilder(command).inheritIO().start().waitFor();
      if (status != 0) {
        throw new IllegalStateException(String.join(" ", command) + " ended with " + status);
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException("cannot run " + String.join(" ", command), e);
    }
  }

  /// Returns the exit code. Blocks until the process has ended by itself.
  public int awaitExit() {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Kills the process.
  @Override
  public void close() {
    kill();
  }
}
