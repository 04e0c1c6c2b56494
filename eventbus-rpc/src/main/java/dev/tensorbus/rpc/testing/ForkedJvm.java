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

/// A program of the tests in a JVM of its own, with the flags and the class path of this one. A
/// test can kill it and freeze it. It ends when its standard input does, by [#awaitEnd], so that
/// none outlives the tests.
public final class ForkedJvm implements AutoCloseable {
  private static final Set<String> RUN = Set.of("-jar", "-cp", "-classpath");

  private final Process process;

  private ForkedJvm(Process process) {
    this.process = process;
  }

  /// Starts a program; what it prints is printed here.
  public static ForkedJvm start(Class<?> main, String... arguments) {
    return start(Map.of(), main, arguments);
  }

  /// The same, with more in its environment.
  public static ForkedJvm start(
      Map<String, String> environment, Class<?> main, String... arguments) {
    ProcessBuilder process =
        new ProcessBuilder(command(main, arguments))
            .redirectOutput(ProcessBuilder.Redirect.INHERIT);
    process.environment().putAll(environment);
    return start(process);
  }

  /// Starts a program with which the test talks by its standard input and output.
  public static ForkedJvm startPiped(Class<?> main, String... arguments) {
    return start(new ProcessBuilder(command(main, arguments)));
  }

  /// Starts a program in a network namespace. The test talks with it by its standard input and
  /// output.
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
    command.add("-XX:TieredStopAtLevel=1"); // it ends before C2's work would pay
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    return command;
  }

  /// The last step of such a program: it waits until the process that started it lets it go, and
  /// ends at once.
  public static void awaitEnd() {
    try {
      System.in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      Runtime.getRuntime().halt(0);
    }
  }

  /// The flags of this JVM, up to what it runs.
  private static List<String> flags() {
    String[] own = ProcessHandle.current().info().arguments().orElse(new String[0]);
    return Arrays.stream(own)
        .takeWhile(argument -> argument.startsWith("-") && !RUN.contains(argument))
        .filter(flag -> !flag.startsWith("-agentlib")) // a debugger is for one JVM only
        .toList();
  }

  /// Its number in the system.
  public long pid() {
    return process.pid();
  }

  /// Its standard input.
  public BufferedWriter input() {
    return process.outputWriter();
  }

  /// Its standard output, if the test talks with it.
  public BufferedReader output() {
    return process.inputReader();
  }

  /// Whether it has not ended.
  public boolean isAlive() {
    return process.isAlive();
  }

  /// The time that processors have spent on it.
  public Duration cpuTime() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /// Kills it with no chance to say goodbye. Blocks until it is gone.
  public void kill() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Stops it where it is: its sockets stay open and say nothing.
  public void freeze() {
    signal("STOP");
  }

  /// Lets it go on after [#freeze].
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

  /// The code that it ends with. Blocks until it has ended by itself.
  public int awaitExit() {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Kills it.
  @Override
  public void close() {
    kill();
  }
}
