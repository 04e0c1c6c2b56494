// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tensorbus.autograd.OnnxException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Linear;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// JVMs of their own: without ONNX Runtime, and with a memory to look at.
@Tag("slow")
final class OnnxJvmTest {
  private static final Path STATUS = Path.of("/proc/self/status");

  @TempDir private Path empty;

  /// Computes in Java, then asks for ONNX Runtime.
  static final class WithoutOnnx {
    public static void main(String[] arguments) {
      Linear linear = new Linear(2, 1, new SplittableRandom(1));
      System.out.println("Java gives " + linear.forward(Tensor.ones(1, 2)).shape());
      System.out.println(OnnxExport.of(linear, linear::forward).bytes(Tensor.ones(1, 2)).length);
      for (int time = 0; time < 2; time++) {
        try {
          Accelerated.of(linear, linear::forward, Device.CPU).close();
        } catch (OnnxException e) {
          System.out.println(e.getMessage());
        }
      }
    }
  }

  @Test
  void allElseWorksWithoutTheLibrary() throws IOException, InterruptedException {
    String output =
        run(
            WithoutOnnx.class,
            System.getProperty("java.class.path"),
            "-Donnxruntime.native.path=" + empty);
    assertThat(output).contains("Java gives [1, 1]");
    assertThat(output.lines().filter(line -> line.contains("native library does not load")))
        .hasSize(2)
        .allMatch(line -> line.endsWith("everything else works without it"));
  }

  @Test
  void allElseWorksWithoutTheJar() throws IOException, InterruptedException {
    String classPath =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> !entry.contains("onnxruntime"))
            .collect(Collectors.joining(File.pathSeparator));
    assertThat(run(WithoutOnnx.class, classPath))
        .contains("Java gives [1, 1]")
        .contains(
            "ONNX Runtime is not on the class path: add com.microsoft.onnxruntime:onnxruntime,"
                + " or put onnxruntime.jar beside the program's jar; everything else works"
                + " without it");
  }

  /// Prints how many MiB the JVM takes after a tenth of all sessions and passes, and after all.
  static final class Memory {
    public static void main(String[] arguments) throws IOException {
      int sessions = Integer.parseInt(arguments[0]);
      int passes = Integer.parseInt(arguments[1]);
      Linear linear = new Linear(500, 500, new SplittableRandom(1));
      Tensor x = Tensor.ones(100, 500);
      for (int session = 0; session < sessions; session++) {
        try (Accelerated accelerated = Accelerated.of(linear, linear::forward, Device.CPU)) {
          for (int pass = 0; pass < passes / sessions; pass++) {
            accelerated.forward(x);
          }
        }
        if (session == sessions / 10 || session == sessions - 1) {
          System.out.println("resident " + resident() + " MiB");
        }
      }
    }

    private static long resident() throws IOException {
      var line = Pattern.compile("VmRSS:\\s+(\\d+) kB").matcher(Files.readString(STATUS));
      return line.find() ? Long.parseLong(line.group(1)) >> 10 : 0;
    }
  }

  /// 40 sessions of 1 MB of weights, twice of which are built in, and 1 MB of buffers: what
  /// stayed would be seen. -Donnx.sessions=200 -Donnx.passes=10000 for the long run.
  @Test
  void sessionsGiveTheirMemoryBack() throws IOException, InterruptedException {
    assumeTrue(Files.isReadable(STATUS), "no " + STATUS + " here");
    String output =
        run(
            Memory.class,
            System.getProperty("java.class.path"),
            "-Xmx64m",
            "-Xms64m",
            "-XX:+AlwaysPreTouch",
            "-XX:TieredStopAtLevel=1",
            System.getProperty("onnx.sessions", "40"),
            System.getProperty("onnx.passes", "400"));
    long[] mebibytes =
        Pattern.compile("resident (\\d+) MiB")
            .matcher(output)
            .results()
            .mapToLong(match -> Long.parseLong(match.group(1)))
            .toArray();
    assertThat(mebibytes).as(output).hasSize(2);
    assertThat(mebibytes[1] - mebibytes[0]).as(output).isLessThan(40);
  }

  /// The output of a program on both streams; flags start with a dash, the rest are its arguments.
  private static String run(Class<?> program, String classPath, String... words)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    Arrays.stream(words).filter(word -> word.startsWith("-")).forEach(command::add);
    command.addAll(List.of("-cp", classPath, program.getName()));
    Arrays.stream(words).filter(word -> !word.startsWith("-")).forEach(command::add);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return output;
  }
}
