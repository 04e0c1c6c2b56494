// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.image.ImageFile;
import dev.tensorbus.models.data.image.ImageReadMode;
import dev.tensorbus.models.data.npy.Npy;
import dev.tensorbus.models.data.table.Table;
import dev.tensorbus.models.text.Texts;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.ThrowingConsumer;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Each reader keeps to the budget. The files are small, and so is the budget.
@Isolated // the limit is a setting of the JVM
class ReadBudgetTest {
  private static final int LIMIT = 1_000_000;

  @TempDir private Path folder;
  private Path file = Path.of("");

  @BeforeEach
  void setLimit() {
    file = folder.resolve("file");
    System.setProperty(ReadBudget.LIMIT, Integer.toString(LIMIT));
  }

  @AfterEach
  void clearLimit() {
    System.clearProperty(ReadBudget.LIMIT);
  }

  private void assertRefused(ThrowingConsumer<Path> reader) throws IOException {
    String start = "%s: this file of %,d bytes needs at least ".formatted(file, Files.size(file));
    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> reader.accept(file))
        .withMessageStartingWith(start)
        .withMessageEndingWith(
            " bytes of memory, but the limit per file is 1,000,000; use a smaller file, or raise"
                + " -Xmx"
                + " or -Dtensorbus.readLimit");
    System.clearProperty(ReadBudget.LIMIT);
    try {
      reader.accept(file);
    } catch (DataException e) {
      assertThat(e).as("with the default limit").hasMessageNotContaining(ReadBudget.LIMIT);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aLimitThatIsReachedIsNoError() {
    ReadBudget budget = ReadBudget.of(file);
    budget.take(LIMIT / 4, 4);
    budget.take(0, 8);
    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> budget.take(1, 1))
        .withMessageContaining("this file of unknown size needs at least 1,000,001 bytes");
    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> budget.take(Long.MAX_VALUE, 20));
  }

  @ParameterizedTest
  @ValueSource(strings = {"png", "jpg", "gif", "bmp", "tiff"})
  void anImageOfManyPixels(String format) throws IOException {
    ImageIO.write(new BufferedImage(400, 400, BufferedImage.TYPE_INT_RGB), format, file.toFile());
    assertThat(Files.size(file)).isLessThan(LIMIT);
    assertRefused(path -> ImageFile.read(path, ImageReadMode.RGB));
  }

  @Test
  void aHeaderOfManyColumns() throws IOException {
    StringBuilder header = new StringBuilder();
    for (int i = 0; i < 2_000; i++) {
      header.append(i).append(',');
    }
    Files.writeString(file, header);
    assertRefused(Table::readCsv);
  }

  @Test
  void aTableOfManyCharacters() throws IOException {
    Files.writeString(file, "a\n" + ("x".repeat(1_000) + "\n").repeat(2_000));
    assertRefused(Table::readCsv);
  }

  @Test
  void aTableOfManyRows() throws IOException {
    Files.writeString(file, "a\n" + "1\n".repeat(200_000));
    assertRefused(Table::readCsv);
  }

  @Test
  void aLineOfManyCommasIsReadNoFurtherThanTheHeader() throws IOException {
    Files.writeString(file, "a,b\n" + ",".repeat(3 * LIMIT) + "\n");
    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> Table.readCsv(file))
        .withMessage(
            file
                + ": line 2, column 3: \"\" is an extra field, but the header has 2 fields;"
                + " correct the line, or use another separator");
    Files.writeString(file, ",".repeat(2_000) + "\n");
    assertRefused(Table::readCsv);
  }

  @Test
  void aPackedFileOfManyValues() throws IOException {
    file = folder.resolve("labels.gz");
    byte[] values = new byte[LIMIT];
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(ByteBuffer.allocate(8).putInt(0x0801).putInt(3 * LIMIT).array());
      for (int i = 0; i < 3; i++) {
        out.write(values);
      }
    }
    assertThat(Files.size(file)).isLessThan(LIMIT / 10);
    assertRefused(Idx::read);
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "\u4e2d"})
  void aLongLine(String letter) throws IOException {
    Files.writeString(file, letter.repeat(300_000));
    assertRefused(TextLines::read);
    setLimit();
    assertRefused(Texts::read);
  }

  @Test
  void manyLines() throws IOException {
    Files.writeString(file, "\n".repeat(100_000) + "word");
    assertRefused(TextLines::read);
    setLimit();
    assertRefused(Texts::read);
  }

  @Test
  void manyWords() throws IOException {
    StringBuilder words = new StringBuilder();
    for (int i = 0; i < 20_000; i++) {
      words.append(i).append(i % 100 == 0 ? '\n' : ' ');
    }
    Files.writeString(file, words);
    assertRefused(Texts::read);
  }

  @Test
  void aTensorOfManyValues() throws IOException {
    Npy.write(file, Tensor.zeros(400_000));
    assertRefused(Npy::read);
  }

  @Test
  void aTensorWhoseValuesBecomeWider() throws IOException {
    byte[] header = Files.readAllBytes(Path.of("src", "test", "resources", "npy", "uint8.npy"));
    String text = new String(header, 0, 128, StandardCharsets.ISO_8859_1);
    Files.writeString(
        file, text.replace("(2, 2), }   ", "(200000,), }"), StandardCharsets.ISO_8859_1);
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(128 + 200_000);
    }
    assertRefused(Npy::read);
  }

  @Test
  void aFileWithinTheBudgetIsRead() throws IOException {
    Files.writeString(file, "a,b\n" + "1,2\n".repeat(10_000));
    assertThat(Table.readCsv(file).size()).isEqualTo(10_000);
    assertThat(TextLines.read(file).size()).isEqualTo(10_001);
    assertThat(Texts.read(file)).hasSize(20_002);
  }
}
