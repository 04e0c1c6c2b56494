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

/// The contents of an IDX file of unsigned bytes, the format that MNIST comes in.
///
/// A file starts with the magic bytes 0, 0, 8 (unsigned bytes) and the number of axes; then come
/// each axis' size as a big-endian int32 and the values in row-major order.
///
/// @param sizes the sizes of the axes
/// @param values the values, row-major
public record Idx(int[] sizes, byte[] values) {
  private static final int UNSIGNED_BYTES = 0x0800;

  /// Values that are read first, before there is any sign that the others are there.
  private static final long CHUNK = 1 << 16;

  /// Reads a file whole, unpacking it if its name ends in `.gz`.
  ///
  /// @param row the sizes that the axes after the first should have
  /// @throws DataException if it cannot be read, is another kind of file, is cut off, or takes more
  ///     memory than its [ReadBudget] has
  public static Idx read(Path file, int... row) {
    try (InputStream raw = Files.newInputStream(file);
        var in = new DataInputStream(file.toString().endsWith(".gz") ? unpacked(raw) : raw)) {
      int[] sizes = header(file, in, row);
      return new Idx(sizes, values(file, in, length(file, sizes)));
    } catch (EOFException e) {
      throw new DataException(file + ": ends too early; fetch the file again", e);
    } catch (ZipException e) {
      throw new DataException(
          file + ": is no gzip file or is damaged (" + e.getMessage() + "); fetch it again", e);
    } catch (IOException e) {
      throw new DataException(
          file + ": cannot be read (" + e + "); check that it is a file and may be read", e);
    }
  }

  /// Gives the sizes of the axes if the file is whole. Its header and its length say so; the
  /// values are read only where these two do not fit, to say what is wrong.
  ///
  /// @throws DataException as [#read] does
  public static int[] check(Path file, int... row) {
    try (InputStream raw = Files.newInputStream(file);
        var in = new DataInputStream(file.toString().endsWith(".gz") ? unpacked(raw) : raw)) {
      int[] sizes = header(file, in, row);
      long header = Integer.BYTES * (1L + sizes.length);
      if (announcedLength(file) == (int) (header + length(file, sizes))) {
        return sizes;
      }
    } catch (IOException e) {
      return read(file, row).sizes(); // says the same in a sentence
    }
    return read(file, row).sizes();
  }

  /// The last 32 bits of how many bytes the file has, unpacked: the end of a gzip file holds them.
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
          "%s: starts with %08x, not %08x as an IDX file with %d axes; fetch the file again"
              .formatted(file, magic, expected, 1 + row.length));
    }
    int[] sizes = new int[1 + row.length];
    for (int axis = 0; axis < sizes.length; axis++) {
      sizes[axis] = in.readInt();
    }
    if (!Arrays.equals(sizes, 1, sizes.length, row, 0, row.length)) {
      throw new DataException(
          "%s: holds %s values, not rows of %s; give a data set of MNIST's format"
              .formatted(file, by(sizes), by(row)));
    }
    return sizes;
  }

  private static int length(Path file, int... sizes) {
    long length = 1;
    for (int size : sizes) {
      // A product of at most 2^31 times a size fits a long.
      length = size < 0 || length > Integer.MAX_VALUE ? Long.MAX_VALUE : length * size;
    }
    if (length > Integer.MAX_VALUE - 8) {
      throw new DataException(
          "%s: announces %s values, more than an array holds; fetch the file again"
              .formatted(file, by(sizes)));
    }
    return (int) length;
  }

  private static byte[] values(Path file, InputStream in, int length) throws IOException {
    // Grows with what really comes, so that a wrong header allocates nothing.
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
          "%s: ends after %s of %s bytes; fetch the file again"
              .formatted(file, grouped(size), grouped(length)));
    }
    if (in.read() >= 0) {
      throw new DataException(
          "%s: goes on after the %s bytes that it announces; fetch the file again"
              .formatted(file, grouped(length)));
    }
    return values;
  }

  /// Reads some bytes to `values`, from index `from`; -1 at the end, which gzip reports by an
  /// exception if it comes too early.
  private static int read(InputStream in, byte[] values, int from) throws IOException {
    try {
      return in.read(values, from, values.length - from);
    } catch (EOFException e) {
      return -1;
    }
  }

  /// Sizes as people write them: `60000x28x28`.
  private static String by(int... sizes) {
    StringBuilder text = new StringBuilder();
    for (int size : sizes) {
      text.append(text.isEmpty() ? "" : "x").append(size);
    }
    return text.toString();
  }

  /// A number as people write it: `47,040,000`.
  private static String grouped(int number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}
