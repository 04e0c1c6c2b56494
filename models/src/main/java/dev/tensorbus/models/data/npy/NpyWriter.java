// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data.npy;

import dev.tensorbus.autograd.HeapStorage;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.file.AtomicFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/// Writes one file sequentially through a buffer.
final class NpyWriter {
  /// Alignment of the values in the file, in bytes. Allows readers to map them into memory.
  private static final int ALIGNMENT = 64;

  private final FileChannel file;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 18);

  private NpyWriter(FileChannel file) {
    this.file = file;
  }

  static void write(Path path, Tensor tensor) throws IOException {
    AtomicFile.write(path, file -> new NpyWriter(file).write(tensor));
  }

  private void write(Tensor tensor) throws IOException {
    NpyType type = NpyType.of(tensor.dtype());
    write(start(NpyHeader.text(type, tensor.shape())));
    HeapStorage values = tensor.heap();
    int room = buffer.capacity() / type.width();
    int count;
    for (int first = 0; first < values.length(); first += count) {
      count = Math.min(room, values.length() - first);
      buffer.clear().limit(count * type.width());
      values.write(first, count, MemorySegment.ofBuffer(buffer), 0, ByteOrder.LITTLE_ENDIAN);
      write(buffer);
    }
  }

  /// Encodes the magic string, the version, the header's length and the header, which is padded
  /// with spaces and ends with a line feed.
  private static ByteBuffer start(String header) {
    int before = Npy.MAGIC.length + 2 * Byte.BYTES + Short.BYTES;
    int length = Math.ceilDiv(before + header.length() + 1, ALIGNMENT) * ALIGNMENT - before;
    ByteBuffer start = ByteBuffer.allocate(before + length).order(ByteOrder.LITTLE_ENDIAN);
    start.put(Npy.MAGIC).put((byte) 1).put((byte) 0).putShort((short) length);
    start.put(
        (header + " ".repeat(length - 1 - header.length()) + "\n")
            .getBytes(StandardCharsets.US_ASCII));
    return start.flip();
  }

  private void write(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      file.write(bytes);
    }
  }
}
