// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TextLinesTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void eachLineIsAnExample() throws IOException {
    Dataset<String> lines =
        TextLines.read(Files.writeString(folder.resolve("text"), "größer\r\n\n kleiner"));
    assertThat(lines.size()).isEqualTo(3);
    assertThat(lines.get(0)).isEqualTo("größer");
    assertThat(lines.get(1)).isEmpty();
    assertThat(lines.get(2)).isEqualTo(" kleiner");
  }

  @Test
  void refusesWhatIsNoText() throws IOException {
    Path latin = folder.resolve("latin");
    Files.write(latin, "größer".getBytes(StandardCharsets.ISO_8859_1));
    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> TextLines.read(latin))
        .withMessage(latin + ": is not UTF-8; use a plain text file");
    Path missing = folder.resolve("missing");
    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> TextLines.read(missing))
        .withMessage(missing + ": no such file; use a plain text file");
  }
}
