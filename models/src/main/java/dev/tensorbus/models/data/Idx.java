// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/// The contents of an IDX file of unsigned bytes, the format of MNIST.
///
/// A file starts with the bytes 0, 0, 8 (the code for unsigned bytes) and the number of axes. The
/// size of each axis follows as a big-endian int32, then the values in row-major order.
///
/// @param sizes the sizes of the axes
/// @param values the values, row-major
public record Idx(int[] sizes, byte[] values) {
  private static final int UNSIGNED_BYTES = 0x0800;

  /// Maximum size of the first allocation, in bytes. Limited since the length in the header may be
  /// wrong.
  private static final long CHUNK = 1 << 16;

  /// Reads a file. Decompresses it if its name ends in `.gz`.
  ///
  /// @param row expected sizes of all axes except the first
  /// @throws DataException if the file cannot be read, does not have this format or these sizes, is
  ///     truncated, or exceeds its [ReadBudget]
  public static Idx read(Path file, int... row) {
    try (InputStream raw = Files.newInputStream(file);
        var in = new DataInputStream(file.toString().endsWith(".gz") ? unpacked(raw) : raw)) {
      int[] sizes = header(file, in, row);
      return new Idx(sizes, values(file, in, length(file, sizes)));
    } catch (EOFException e) {
      throw new DataException(file + ": is truncated; download it again", e);
    } catch (ZipException e) {
      throw new DataException(
          file + ": is not a gzip file or is damaged (" + e.getMessage() + "); download it again",
          e);
    } catch (IOException e) {
      throw new DataException(
          file + ": cannot be read (" + e + "); check that it is a readable file", e);
    }
  }

  /// Checks that a file is complete, and returns the sizes of the axes. Compares the header with
  /// the file's length. Reads the values only if these disagree, to report what is wrong.
  ///
  /// @throws DataException under the same conditions as [#read]
  public static int[] check(Path file, int... row) {
    try (InputStream raw = Files.newInputStream(file);
        var in = new DataInputStream(file.toString().endsWith(".gz") ? unpacked(raw) : raw)) {
      int[] sizes = header(file, in, row);
      long header = Integer.BYTES * (1L + sizes.length);
      if (announcedLength(file) == (int) (header + length(file, sizes))) {
        return sizes;
      }
    } catch (IOException e) {
      return read(file, row).sizes(); // fails again, with a message for the user
    }
    return read(file, row).sizes();
  }

  /// Returns the lowest 32 bits of the uncompressed length, which a gzip file stores at its end.
  private static int announcedLength(Path file) throws IOException {
    if (!file.toString().endsWith(".gz")) {
      return (int) Files.size(file);
    }
    try (var in = new RandomAccessFile(file.toFile(), "r")) {
      in.seek(in.length() - Integer.BYTES);
      return Integer.reverseBytes(in.readInt());
    }
  }

  private static InputStream unpacked(InputStream raw) throws IOException {
    return new GZIPInputStream(raw, 1 << 16);
  }

  private static int[] header(Path file, DataInputStream in, int... row) throws IOException {
    int magic = in.readInt();
    int expected = UNSIGNED_BYTES | (1 + row.length);
    if (magic != expected) {
      throw new DataException(
          "%s: starts with %08x, but an IDX file with %d axes starts with %08x; download it again"
              .formatted(file, magic, 1 + row.length, expected));
    }
    int[] sizes = new int[1 + row.length];
    for (int axis = 0; axis < sizes.length; axis++) {
      sizes[axis] = in.readInt();
    }
    if (!Arrays.equals(sizes, 1, sizes.length, row, 0, row.length)) {
      throw new DataException(
          "%s: contains %s values, not rows of %s; use a data set in MNIST's format"
              .formatted(file, by(sizes), by(row)));
    }
    return sizes;
  }

  private static int length(Path file, int... sizes) {
    long length = 1;
    for (int size : sizes) {
      // The product of two values below 2^31 fits into a long.
      length = size < 0 || length > Integer.MAX_VALUE ? Long.MAX_VALUE : length * size;
    }
    if (length > Integer.MAX_VALUE - 8) {
      throw new DataException(
          "%s: declares %s values, more than an array can hold; download the file again"
              .formatted(file, by(sizes)));
    }
    return (int) length;
  }

  private static byte[] values(Path file, InputStream in, int length) throws IOException {
    // The array grows with the bytes read, so that a wrong header does not allocate much memory.
    ReadBudget budget = ReadBudget.of(file);
    byte[] values = new byte[0];
    int size = 0;
    int read = 0;
    while (read >= 0 && size < length) {
      if (size == values.length) {
        int grown = (int) Math.min(length, Math.max(CHUNK, size + (size >> 1) + 1L));
        budget.take(grown - size, Byte.BYTES);
        values = Arrays.copyOf(values, grown);
      }
      read = read(in, values, size);
      size += Math.max(0, read);
    }
    if (size < length) {
      throw new DataException(
          "%s: ends after %s of %s bytes; download the file again"
              .formatted(file, grouped(size), grouped(length)));
    }
    if (in.read() >= 0) {
      throw new DataException(
          "%s: continues after the %s bytes that its header declares; download the file again"
              .formatted(file, grouped(length)));
    }
    return values;
  }

  /// Reads some bytes into `values`, starting at index `from`. Returns their number, or -1 at the
  /// end of the file. Also returns -1 at the early end of a truncated gzip file, where the stream
  /// throws.
  private static int read(InputStream in, byte[] values, int from) throws IOException {
    try {
      return in.read(values, from, values.length - from);
    } catch (EOFException e) {
      return -1;
    }
  }

  /// Formats sizes, such as `60000x28x28`.
  private static String by(int... sizes) {
    StringBuilder text = new StringBuilder();
    for (int size : sizes) {
      text.append(text.isEmpty() ? "" : "x").append(size);
    }
    return text.toString();
  }

  /// Formats a number, such as `47,040,000`.
  private static String grouped(int number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}
