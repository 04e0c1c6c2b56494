// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Behaviour that depends on the JVM's flags, each case in a JVM of its own: the width of vectors
/// is a constant of the JVM, as C2 needs it to be.
@Tag("long")
final class JvmTest {
  /// The widths of vectors: 128 bits, AVX2's with its 16 registers, and the machine's own. C1
  /// compiles every kernel: without a profile from C1, C2 would never compile it.
  @ParameterizedTest
  @CsvSource({
    "-XX:MaxVectorSize=16, vectors of 128 bits",
    "-XX:UseAVX=2, vectors of 256 bits in tiles of 4 x 16",
    "-Dtensorbus.threads=1, vectors of"
  })
  void vectorsOfAnyWidthAreFastAndComputeTheSame(String flag, String vectors)
      throws IOException, InterruptedException {
    assumeTrue(!flag.contains("AVX") || System.getProperty("os.arch").equals("amd64"));
    String output = run(KernelComparison.class, VectorModule.FLAG, "-XX:+PrintCompilation", flag);
    assertThat(output).containsPattern(vectors + "[^\\n]* agree").doesNotContain("WARNING");
    assertThat(output.lines().filter(line -> line.contains("COMPILE SKIPPED: out of")))
        .noneMatch(line -> line.contains("dev.tensorbus.autograd.kernel"));
    boolean isWhole = output.contains("tiles of 8 x ");
    assertThat(output)
        .contains(
            isWhole
                ? List.of("::addTile", "PackedTile::addByRows", "PackedTile::addByPanels")
                : List.of("HalfTile::add ", "HalfTile::addByRows", "HalfTile::addByPanels"))
        .contains(
            "NarrowTile::addByRows",
            "NarrowTile::addByPanels",
            "TileEdge::addPart",
            isWhole ? "VectorDots::dotTile" : "VectorDots::dotHalf");
  }

  @Test
  void withoutTheVectorModuleScalarKernelsTakeOverAndNameTheFlag()
      throws IOException, InterruptedException {
    String output = run(Choice.class);
    assertThat(output.lines().filter(line -> line.contains("WARNING")))
        .hasSize(1)
        .first()
        .asString()
        .contains(VectorModule.FLAG)
        .contains("--add-modules=jdk.incubator.vector")
        .contains("Add-Exports: java.base/jdk.internal.module");
    assertThat(output).contains("chose plain loops");
  }

  @Test
  void aModuleThatIsThereFromTheStartIsUsed() throws IOException, InterruptedException {
    String output = run(Choice.class, "--add-modules=jdk.incubator.vector");
    assertThat(output).contains("Kernels use vectors of");
  }

  @Test
  void theChoiceAndItsReasonAreLoggedOnce() throws IOException, InterruptedException {
    String output = run(Choice.class, VectorModule.FLAG, "-Dtensorbus.threads=3");
    assertThat(output.lines().filter(line -> line.contains("INFO")))
        .hasSize(1)
        .first()
        .asString()
        .contains("Kernels use vectors of")
        .contains("3 threads");
  }

  @Test
  void aNumberOfThreadsBelowOneIsRefused() throws IOException, InterruptedException {
    String output = run(Choice.class, VectorModule.FLAG, "-Dtensorbus.threads=0");
    assertThat(output).contains("tensorbus.threads is 0; expected at least 1");
  }

  /// Chooses kernels, and no more.
  static final class Choice {
    private Choice() {}

    public static void main(String... arguments) {
      IO.println("chose " + Kernels.best());
    }
  }

  /// The output of a program on both streams.
  private static String run(Class<?> program, String... flags)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(flags));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return output;
  }
}
