// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data;

import static dev.tensorbus.models.data.IdxFiles.idx;
import static dev.tensorbus.models.data.IdxFiles.writePacked;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdxTest {
  private final byte[] values = new byte[3 * 40_000];
  @TempDir private Path folder;
  private Path plain = Path.of("");
  private Path packed = Path.of("");

  @BeforeEach
  void nameFiles() {
    plain = folder.resolve("some-idx2-ubyte");
    packed = folder.resolve("some-idx2-ubyte.gz");
    for (int i = 0; i < values.length; i++) {
      values[i] = (byte) (i * i);
    }
  }

  @Test
  void readsPlainAndPackedFiles() throws IOException {
    Files.write(plain, idx(values, 3, 40_000));
    writePacked(packed, idx(values, 3, 40_000));
    for (Path file : new Path[] {plain, packed}) {
      Idx read = Idx.read(file, 40_000);
      assertThat(read.sizes()).containsExactly(3, 40_000);
      assertThat(read.values()).isEqualTo(values);
    }
  }

  @Test
  void saysWhereAPlainFileEnds() throws IOException {
    Files.write(plain, Arrays.copyOf(idx(values, 3, 40_000), 12 + 119_999));
    assertFails(plain, ": ends after 119,999 of 120,000 bytes; download the file again");
  }

  @Test
  void saysWhereAPackedFileEnds() throws IOException {
    writePacked(packed, idx(values, 3, 40_000));
    byte[] whole = Files.readAllBytes(packed);
    Files.write(packed, Arrays.copyOf(whole, whole.length / 2));
    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> Idx.read(packed, 40_000))
        .withMessageMatching(
            ".*\\.gz: ends after [0-9,]+ of 120,000 bytes; download the file again");
  }

  @Test
  void everyCutOfAPackedFileIsADataException() throws IOException {
    writePacked(packed, idx(new byte[20], 4, 5));
    byte[] whole = Files.readAllBytes(packed);
    for (int length = 0; length < whole.length; length++) {
      Files.write(packed, Arrays.copyOf(whole, length));
      assertThatExceptionOfType(DataException.class)
          .as("%s of %s bytes", length, whole.length)
          .isThrownBy(() -> Idx.read(packed, 5));
    }
  }

  @Test
  void everyCutOfAPlainFileIsADataException() throws IOException {
    byte[] whole = idx(new byte[20], 4, 5);
    for (int length = 0; length < whole.length; length++) {
      Files.write(plain, Arrays.copyOf(whole, length));
      assertThatExceptionOfType(DataException.class).isThrownBy(() -> Idx.read(plain, 5));
    }
  }

  @Test
  void refusesBytesAfterTheEnd() throws IOException {
    Files.write(plain, idx(values, 2, 40_000));
    assertFails(
        plain,
        ": continues after the 80,000 bytes that its header declares; download the file"
            + " again");
  }

  @Test
  void refusesAnotherKindOfFile() throws IOException {
    Files.write(plain, idx(values, 120_000));
    assertFails(
        plain,
        ": starts with 00000801, but an IDX file with 2 axes starts with 00000802; download it"
            + " again");
  }

  @Test
  void aWrongHeaderAllocatesNothing() throws IOException {
    Files.write(plain, idx(new byte[1], 60_000, 40_000));
    assertFails(
        plain,
        ": declares 60000x40000 values, more than an array can hold; download the file" + " again");
    Files.write(plain, idx(new byte[1], 50_000, 40_000));
    assertFails(plain, ": ends after 1 of 2,000,000,000 bytes; download the file again");
    Files.write(plain, idx(new byte[1], -1, 40_000));
    assertFails(
        plain, ": declares -1x40000 values, more than an array can hold; download the file again");
  }

  @Test
  void refusesRowsOfAnotherSize() throws IOException {
    Files.write(plain, idx(values, 4, 30_000));
    assertFails(
        plain, ": contains 4x30000 values, not rows of 40000; use a data set in MNIST's format");
  }

  @Test
  void refusesAFileThatIsNotPacked() throws IOException {
    Files.write(packed, idx(values, 3, 40_000));
    assertFails(
        packed, ": is not a gzip file or is damaged (Not in GZIP format); download it again");
  }

  @Test
  void refusesADamagedFile() throws IOException {
    writePacked(packed, idx(values, 3, 40_000));
    byte[] damaged = Files.readAllBytes(packed);
    damaged[damaged.length - 6] ^= 1;
    Files.write(packed, damaged);
    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> Idx.read(packed, 40_000))
        .withMessageContaining(": is not a gzip file or is damaged (");
  }

  @Test
  void refusesAFolder() throws IOException {
    Files.createDirectory(plain);
    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> Idx.read(plain, 40_000))
        .withMessageContaining("; check that it is a readable file");
  }

  private static void assertFails(Path file, String message) {
    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> Idx.read(file, 40_000))
        .withMessage(file + message);
  }
}
