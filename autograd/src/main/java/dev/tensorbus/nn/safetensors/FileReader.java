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
import java.util.function.Predicate;

/// Reads a file through memory mapping.
final class FileReader {
  private static final ValueLayout.OfLong LENGTH =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /// The maximum header size that the format allows.
  private static final long LONGEST_HEADER = 100_000_000;

  private FileReader() {}

  /// Reads the tensors whose names match a condition.
  static Map<String, Tensor> read(Path path, Predicate<String> isWanted) throws IOException {
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ);
        Arena arena = Arena.ofConfined()) {
      return read(file.map(MapMode.READ_ONLY, 0, file.size(), arena), isWanted);
    }
  }

  private static Map<String, Tensor> read(MemorySegment file, Predicate<String> isWanted) {
    long start = Long.BYTES + headerLength(file);
    List<Entry> entries = entries(file.asSlice(Long.BYTES, start - Long.BYTES));
    MemorySegment data = file.asSlice(start);
    Entry.requireNoGaps(entries, data.byteSize());
    Map<String, Tensor> tensors = new LinkedHashMap<>();
    for (Entry entry : entries) {
      if (isWanted.test(entry.name())) {
        tensors.put(entry.name(), entry.decode(data));
      }
    }
    return tensors;
  }

  private static long headerLength(MemorySegment file) {
    long size = file.byteSize();
    if (size < Long.BYTES) {
      throw SafetensorsException.damaged(size + " bytes are too few for a safetensors file");
    }
    long length = file.get(LENGTH, 0);
    if (length < 0 || length > Math.min(size - Long.BYTES, LONGEST_HEADER)) {
      throw SafetensorsException.damaged(
          "the header claims to have %s bytes, but the file has %d (the format allows %d)"
              .formatted(Long.toUnsignedString(length), size, LONGEST_HEADER));
    }
    return length;
  }

  private static List<Entry> entries(MemorySegment header) {
    try {
      return HeaderReader.entries(header.toArray(ValueLayout.JAVA_BYTE));
    } catch (JsonProcessingException e) {
      throw SafetensorsException.damaged(
          "the header is not JSON (" + e.getOriginalMessage() + ")", e);
    } catch (IOException e) {
      throw SafetensorsException.damaged("the header is not UTF-8 (" + e.getMessage() + ")", e);
    }
  }
}
