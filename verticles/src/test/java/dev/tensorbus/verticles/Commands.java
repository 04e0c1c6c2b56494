// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.launch.Jvm;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// Programs that tests run as a user would, in processes of their own.
public final class Commands {
  private static final String LOGGING = "java.util.logging.config.file";
  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();
  private static final Path JARS = Path.of("target").toAbsolutePath();

  private Commands() {}

  /// A main of the tests, with the flags of a worker.
  public static Process java(Class<?> main, String... arguments) throws IOException {
    List<String> flags =
        Stream.ofNullable(System.getProperty(LOGGING))
            .map(file -> "-D" + LOGGING + "=" + file)
            .toList();
    return new ProcessBuilder(Jvm.current().command(flags, main.getName(), List.of(arguments)))
        .inheritIO()
        .start();
  }

  /// A main of the tests as an IDE starts it, without flags.
  public static Running plainJava(Class<?> main, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(JAVA, "-cp"));
    command.addAll(List.of(System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    return new Running(new ProcessBuilder(command).redirectErrorStream(true).start());
  }

  /// `java -jar target/JAR ARGUMENTS`.
  public static Running jar(String jar, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(JAVA, "-jar", JARS.resolve(jar).toString()));
    command.addAll(List.of(arguments));
    return new Running(new ProcessBuilder(command).redirectErrorStream(true).start());
  }

  /// A program that runs, and what it has printed so far.
  public static final class Running implements AutoCloseable {
    /// Ends what hangs. A training that takes 30 s took more than 120 once.
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Process process;
    private final StringBuffer output = new StringBuffer();
    private final Map<String, CompletableFuture<Void>> awaited = new ConcurrentHashMap<>();
    private final Thread reader;

    /// Reads its output from now on.
    public Running(Process process) {
      this.process = process;
      this.reader = Thread.ofVirtual().start(this::read);
    }

    private void read() {
      try (var lines = process.inputReader()) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          output.append(line).append('\n');
          String read = line;
          awaited.forEach((text, seen) -> completeIf(read.contains(text), seen));
        }
      } catch (IOException e) {
        output.append(e).append('\n');
      }
    }

    private static void completeIf(boolean condition, CompletableFuture<Void> future) {
      if (condition) {
        future.complete(null);
      }
    }

    /// Done when a line with this text has come.
    public CompletableFuture<Void> said(String text) {
      CompletableFuture<Void> seen =
          awaited.computeIfAbsent(text, key -> new CompletableFuture<>());
      completeIf(output.indexOf(text) >= 0, seen);
      return seen;
    }

    /// Waits until a line with this text has come.
    public void await(String text) {
      assertThat(said(text)).as("\"%s\" comes in:%n%s", text, output).succeedsWithin(PATIENCE);
    }

    /// Waits for the end and gives the exit code.
    public int end(Duration patience) throws InterruptedException {
      assertThat(process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS))
          .as("ends within %s:%n%s", patience, output)
          .isTrue();
      reader.join();
      return process.exitValue();
    }

    /// The same, with much patience.
    public int end() throws InterruptedException {
      return end(PATIENCE);
    }

    /// Its output so far.
    public String output() {
      return output.toString();
    }

    /// Ends it with no chance to end what it has started.
    public void kill() {
      process.destroyForcibly();
    }

    /// Asks it to end.
    public void terminate() {
      process.destroy();
    }

    /// Presses Ctrl-C: a terminal sends the signal to the jar's JVM and to the one that it has
    /// started, but not to workers, which have sessions of their own.
    public void interrupt() throws IOException, InterruptedException {
      List<String> command = new ArrayList<>(List.of("kill", "-INT"));
      command.add(Long.toString(process.pid()));
      process.children().forEach(child -> command.add(Long.toString(child.pid())));
      assertThat(new ProcessBuilder(command).start().waitFor()).isZero();
    }

    /// The processes that it has started.
    public List<ProcessHandle> descendants() {
      return process.descendants().toList();
    }

    /// Sends a signal such as `STOP` to the processes that it has started.
    public void signal(String name) throws IOException, InterruptedException {
      for (ProcessHandle handle : descendants()) {
        String pid = Long.toString(handle.pid());
        assertThat(new ProcessBuilder("kill", "-" + name, pid).start().waitFor()).isZero();
      }
    }

    /// The process of this worker, among those that this program started.
    public ProcessHandle worker(int rank) {
      return process
          .descendants()
          .filter(handle -> arguments(handle).anyMatch(word -> word.contains("\"rank\":" + rank)))
          .findFirst()
          .orElseThrow();
    }

    private static Stream<String> arguments(ProcessHandle handle) {
      return handle.info().arguments().stream().flatMap(Stream::of);
    }

    @Override
    public void close() {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }
}
