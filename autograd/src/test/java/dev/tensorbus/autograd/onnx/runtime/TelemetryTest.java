// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ai.onnxruntime.OrtEnvironment;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.onnx.Accelerated;
import dev.tensorbus.autograd.onnx.Device;
import dev.tensorbus.nn.Linear;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// JVMs of their own with an empty folder for temporary files, and without a network where the
/// system lets a user take it away. They show the events that ONNX Runtime would send and the files
/// that it leaves.
@Tag("slow")
final class TelemetryTest {
  private static final Path TRACE = Path.of("trace");

  @TempDir private Path home;

  private Path temporary;

  @BeforeEach
  void makeFolder() throws IOException {
    temporary = Files.createDirectory(home.resolve("tmp"));
  }

  /// Runs forward passes on ONNX Runtime.
  static final class ForwardPass {
    public static void main(String[] arguments) throws IOException {
      Linear linear = new Linear(2, 1, new SplittableRandom(1));
      try (Accelerated accelerated = Accelerated.of(linear, linear::forward, Device.CPU)) {
        accelerated.forward(Tensor.ones(1, 2));
        System.out.println("computed " + accelerated.forward(Tensor.ones(1, 2)).shape());
      }
      if (arguments.length > 0) {
        System.in.read(); // until it is killed
      }
    }
  }

  /// Opens ONNX Runtime past us.
  static final class Unguarded {
    public static void main(String[] arguments) {
      System.out.println("opened " + OrtEnvironment.getEnvironment().getVersion());
    }
  }

  @Test
  void aForwardPassTellsNobodyAndLeavesNoFile() throws IOException, InterruptedException {
    assertThat(outputOf(start(ForwardPass.class))).contains("computed [1, 1]");
    assertThat(filesUnder(home)).isEqualTo(traceOnly());
    assertThat(connections()).isEmpty();
  }

  @Test
  void whereNativeCallsAreDeniedOneLineSaysHowToSwitchItOff()
      throws IOException, InterruptedException {
    List<String> flags =
        List.of("--illegal-native-access=deny", "--enable-native-access=jdk.incubator.vector");
    assertThat(outputOf(start(flags, ForwardPass.class)))
        .contains(
            "ONNX Runtime may send telemetry to Microsoft, because this JVM denies the native"
                + " call that disables it; start the JVM with the environment variable"
                + " ORT_DISABLE_TELEMETRY=1, or with --enable-native-access");
  }

  /// Tells when the tests above cannot fail any more.
  @Test
  void withoutUsTelemetryWouldWriteItsFiles() throws IOException, InterruptedException {
    assumeTrue(System.getProperty("os.name").equals("Linux"), "telemetry's files are Linux's");
    assertThat(outputOf(start(Unguarded.class))).contains("opened ");
    assertThat(filesUnder(home))
        .anyMatch(file -> file.matches("tmp/mat-debug-\\d+\\.log"))
        .contains("tmp/.ses");
  }

  @Test
  void aKilledProcessLeavesNoLibraryAndTheNextStartRemovesItsEmptyFolder()
      throws IOException, InterruptedException {
    Process process = start(ForwardPass.class, "stay");
    try (var lines = process.inputReader()) {
      String line = lines.readLine();
      while (line != null && !line.startsWith("computed")) {
        line = lines.readLine();
      }
      assertThat(line).isEqualTo("computed [1, 1]");
      assertThat(filesUnder(temporary)).noneMatch(file -> file.contains("libonnxruntime"));
      kill(process);
    }
    Path broken = Files.createDirectory(temporary.resolve("tensorbus-onnxruntime-999999999-1"));
    Files.createFile(broken.resolve(System.mapLibraryName("onnxruntime")));
    makeOld();

    assertThat(outputOf(start(ForwardPass.class))).contains("computed");
    assertThat(filesUnder(home)).isEqualTo(traceOnly());
  }

  private void makeOld() throws IOException {
    try (Stream<Path> left = Files.list(temporary)) {
      for (Path folder : left.toList()) {
        Files.setLastModifiedTime(folder, FileTime.from(Instant.now().minusSeconds(60)));
      }
    }
  }

  private static void kill(Process process) throws InterruptedException {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly().waitFor();
  }

  private static List<String> traceOnly() {
    return hasStrace() ? List.of(TRACE.toString()) : List.of();
  }

  private static List<String> filesUnder(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .map(file -> folder.relativize(file).toString())
          .filter(file -> !file.isEmpty() && !file.equals("tmp"))
          .toList();
    }
  }

  /// Attempts to reach another machine, where the system can show them.
  private List<String> connections() throws IOException {
    return hasStrace()
        ? Files.readAllLines(home.resolve(TRACE)).stream()
            .filter(line -> line.contains("sa_family=AF_INET"))
            .toList()
        : List.of();
  }

  private static boolean hasStrace() {
    return Works.STRACE;
  }

  private Process start(Class<?> program, String... arguments) throws IOException {
    return start(List.of("--enable-native-access=ALL-UNNAMED"), program, arguments);
  }

  private Process start(List<String> flags, Class<?> program, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    if (Works.UNSHARE) {
      command.addAll(Works.NO_NETWORK);
    }
    if (hasStrace()) {
      command.addAll(Works.strace(home.resolve(TRACE)));
    }
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    command.addAll(List.of("-XX:-UsePerfData", "-Djava.io.tmpdir=" + temporary));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    Map<String, String> environment = builder.environment();
    environment.keySet().removeAll(List.of("CI", Telemetry.VARIABLE, "XDG_CACHE_HOME"));
    environment.put("TMPDIR", temporary.toString());
    environment.put("HOME", home.toString());
    return builder.start();
  }

  private static String outputOf(Process process) throws IOException, InterruptedException {
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isIn(0, 1);
    return output;
  }

  /// The features of this system.
  private static final class Works {
    static final List<String> NO_NETWORK = List.of("unshare", "--map-root-user", "--net");
    static final boolean UNSHARE = ends(NO_NETWORK);
    static final boolean STRACE = ends(strace(Path.of("/dev/null")));

    static List<String> strace(Path trace) {
      return List.of("strace", "-f", "-e", "trace=connect,sendto", "-o", trace.toString());
    }

    private static boolean ends(List<String> words) {
      List<String> command = new ArrayList<>(words);
      command.add("true");
      try {
        return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor() == 0;
      } catch (IOException | InterruptedException e) {
        return false;
      }
    }
  }
}
