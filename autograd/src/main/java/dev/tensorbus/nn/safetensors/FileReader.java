// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.safetensors;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.tensorbus.autograd.Tensor;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Reads one file by way of memory that the system maps it to.
final class FileReader {
  private static final ValueLayout.OfLong LENGTH =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /// The longest header that the format allows.
  private static final long LONGEST_HEADER = 100_000_000;

  private FileReader() {}

  static Map<String, Tensor> read(Path path) throws IOException {
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ);
        Arena arena = Arena.ofConfined()) {
      return read(file.map(MapMode.READ_ONLY, 0, file.size(), arena));
    }
  }

  private static Map<String, Tensor> read(MemorySegment file) {
    long start = Long.BYTES + headerLength(file);
    List<Entry> entries = entries(file.asSlice(Long.BYTES, start - Long.BYTES));
    Entry.requireNoGaps(entries, file.byteSize() - start);
    Map<String, Tensor> tensors = new LinkedHashMap<>();
    for (Entry entry : entries) {
      MemorySegment bytes = file.asSlice(start + entry.begin(), entry.size());
      tensors.put(entry.name(), entry.encoding().decode(entry.shape(), bytes));
    }
    return tensors;
  }

  private static long headerLength(MemorySegment file) {
    long size = file.byteSize();
    if (size < Long.BYTES) {
      throw new SafetensorsException(size + " bytes are too few for a safetensors file");
    }
    long length = file.get(LENGTH, 0);
    if (length < 0 || length > Math.min(size - Long.BYTES, LONGEST_HEADER)) {
      throw new SafetensorsException(
          "the header would be %s bytes long, the file has %d (the format allows %d)"
              .formatted(Long.toUnsignedString(length), size, LONGEST_HEADER));
    }
    return length;
  }

  private static List<Entry> entries(MemorySegment header) {
    try {
      return HeaderReader.entries(header.toArray(ValueLayout.JAVA_BYTE));
    } catch (JsonProcessingException e) {
      throw new SafetensorsException("the header is no JSON (" + e.getOriginalMessage() + ")", e);
    } catch (IOException e) {
      throw new SafetensorsException("the header is no UTF-8 (" + e.getMessage() + ")", e);
    }
  }
}
