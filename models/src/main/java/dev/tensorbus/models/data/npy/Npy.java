// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data.npy;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.DataException;
import dev.tensorbus.models.data.ReadBudget;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.IntStream;

/// Reads and writes tensors as files in NumPy's npy format: a magic string, a version, a header and
/// the values. Like `numpy.load` and `numpy.save`, but never reads pickled objects.
///
/// [The format](https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html) has the
/// versions 1.0, 2.0 and 3.0, which differ in the header's length field and encoding.
public final class Npy {
  static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};

  /// NumPy's default limit (`max_header_size`). The header of a tensor with few axes takes about a
  /// hundred bytes.
  private static final int LONGEST_HEADER = 10_000;

  private static final ValueLayout.OfShort SHORT_LENGTH =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt LENGTH =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private Npy() {}

  /// Reads a tensor. Values of float32, float64, int64 and bool keep their type; float16 is read as
  /// float32, int32 and uint8 as int64. Supports both byte orders and Fortran order; the tensor is
  /// always row-major. Checks all lengths before it allocates memory for values.
  ///
  /// @throws DataException if the file cannot be read, is damaged, has values of an unsupported
  ///     type, or exceeds its [ReadBudget]
  public static Tensor read(Path file) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        Arena arena = Arena.ofConfined()) {
      Contents contents = contents(file, channel.map(MapMode.READ_ONLY, 0, channel.size(), arena));
      ReadBudget.of(file).take(contents.header.shape().elements(), contents.header.bytesInMemory());
      return contents.tensor();
    } catch (IOException e) {
      throw new DataException(
          file + ": cannot be read (" + e + "); check that it is a readable file", e);
    }
  }

  private static Contents contents(Path file, MemorySegment bytes) {
    try {
      return contents(bytes);
    } catch (DataException e) {
      throw new DataException(file + ": " + e.getMessage(), e);
    }
  }

  private static Contents contents(MemorySegment file) {
    requireMagic(file);
    int version = version(file);
    int start = version == 1 ? 10 : 12;
    require(file.byteSize() >= start, "ends within its header; save or download it again");
    long length =
        version == 1
            ? Short.toUnsignedInt(file.get(SHORT_LENGTH, 8))
            : Integer.toUnsignedLong(file.get(LENGTH, 8));
    require(
        length <= LONGEST_HEADER,
        "has a header of %d bytes, more than NumPy reads; save it again".formatted(length));
    require(file.byteSize() >= start + length, "ends within its header; save or download it again");
    byte[] header = file.asSlice(start, length).toArray(ValueLayout.JAVA_BYTE);
    return new Contents(
        NpyHeaderReader.read(new String(header, characters(version))),
        file.asSlice(start + length));
  }

  private static void require(boolean holds, String problem) {
    if (!holds) {
      throw new DataException(problem);
    }
  }

  private static void requireMagic(MemorySegment file) {
    int given = (int) Math.min(MAGIC.length, file.byteSize());
    byte[] start = file.asSlice(0, given).toArray(ValueLayout.JAVA_BYTE);
    require(
        Arrays.equals(start, MAGIC),
        "starts with \"%s\", but an npy file starts with \"93 4e 55 4d 50 59\"; use a file that"
                .formatted(HexFormat.ofDelimiter(" ").formatHex(start))
            + " numpy.save wrote");
  }

  private static int version(MemorySegment file) {
    require(file.byteSize() >= 8, "ends within its header; save or download it again");
    byte major = file.get(ValueLayout.JAVA_BYTE, 6);
    byte minor = file.get(ValueLayout.JAVA_BYTE, 7);
    require(
        major >= 1 && major <= 3 && minor == 0,
        "has version %d.%d; expected 1.0, 2.0 or 3.0"
            .formatted(Byte.toUnsignedInt(major), Byte.toUnsignedInt(minor)));
    return major;
  }

  private static Charset characters(int version) {
    return version == 3 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1;
  }

  /// The contents of a file whose length matches its header.
  private record Contents(NpyHeader header, MemorySegment bytes) {
    Contents {
      require(
          header.size() == bytes.byteSize(),
          "has %d bytes of values, but its shape %s needs %d; save or download it again"
              .formatted(bytes.byteSize(), header.shape(), header.size()));
    }

    Tensor tensor() {
      if (!header.isFortran()) {
        return header.type().decode(header.shape(), header.order(), bytes);
      }
      int rank = header.shape().rank();
      int[] sizes = header.shape().toArray();
      int[] axes = IntStream.range(0, rank).map(axis -> rank - 1 - axis).toArray();
      Shape reversed = Shape.of(IntStream.of(axes).map(axis -> sizes[axis]).toArray());
      return header.type().decode(reversed, header.order(), bytes).permute(axes);
    }
  }

  /// Writes a tensor in version 1.0 of the format. Writes a temporary file and then renames it, so
  /// that a reader sees either the old file or the complete new one.
  ///
  /// @throws IllegalArgumentException if the tensor has more than 64 axes or is bfloat16, which
  ///     NumPy does not support
  /// @throws DataException if the file cannot be written; in that case an existing file is
  ///     unchanged
  public static void write(Path file, Tensor tensor) {
    if (tensor.shape().rank() > 64) {
      throw new IllegalArgumentException(
          "npy: the tensor has %d axes; NumPy supports at most 64"
              .formatted(tensor.shape().rank()));
    }
    try {
      NpyWriter.write(file, tensor.detach());
    } catch (IOException e) {
      throw new DataException(
          file + ": cannot be written (" + e + "); check the folder and its free space", e);
    }
  }
}
