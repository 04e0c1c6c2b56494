// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The parts of the programs that correspond to PyTorch's tutorials are as short as those. Blank
/// lines, comments, imports and the package's line do not count. Beside these parts, a program has
/// its settings, its wiring, and the care for workers that are lost or started again.
class ProgramSizeTest {
  private static final Path PROGRAMS = Path.of("src/main/java/dev/tensorbus/verticles");

  @ParameterizedTest
  @CsvSource({
    "batch, 120, BatchUpdateParameterServer BatchTrainer BatchTraining",
    "cartpole, 180, Agent Observer Episode CartPoleTraining",
    "rnn, 180, EmbeddingTable Decoder RnnModel RnnTraining",
  })
  void aProgramIsAsShortAsItsTutorial(String program, int most, String files) throws IOException {
    long lines = 0;
    for (String file : files.split(" ")) {
      lines += lines(PROGRAMS.resolve(program).resolve(file + ".java"));
    }
    assertThat(lines).as("lines of %s", files).isLessThanOrEqualTo(most);
  }

  private static long lines(Path file) throws IOException {
    return Files.readAllLines(file).stream()
        .map(String::strip)
        .filter(line -> !line.isEmpty() && !line.matches("(//|import |package ).*"))
        .count();
  }
}
