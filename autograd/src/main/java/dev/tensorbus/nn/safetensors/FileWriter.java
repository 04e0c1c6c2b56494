// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.safetensors;

import dev.tensorbus.autograd.HeapStorage;
import dev.tensorbus.autograd.Tensor;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Writes a file sequentially, through a buffer.
final class FileWriter {
  private final FileChannel file;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 18);

  private FileWriter(FileChannel file) {
    this.file = file;
  }

  static void write(FileChannel file, Map<String, Tensor> tensors) throws IOException {
    new FileWriter(file).write(tensors);
  }

  private void write(Map<String, Tensor> tensors) throws IOException {
    Map<Entry, Tensor> placed = placed(tensors);
    byte[] header = HeaderWriter.bytes(placed.keySet());
    write(ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(0, header.length));
    write(ByteBuffer.wrap(header));
    for (Tensor tensor : placed.values()) {
      write(tensor);
    }
  }

  /// Assigns offsets to the tensors, the widest types first, so that each value is aligned to its
  /// width. The tensors are detached, so that concurrent updates do not change their values.
  private static Map<Entry, Tensor> placed(Map<String, Tensor> tensors) {
    List<Map.Entry<String, Tensor>> sorted = new ArrayList<>(tensors.entrySet());
    sorted.sort(Comparator.comparing(named -> Encoding.of(named.getValue().dtype())));
    Map<Entry, Tensor> placed = new LinkedHashMap<>();
    long begin = 0;
    for (Map.Entry<String, Tensor> named : sorted) {
      Tensor tensor = named.getValue().detach();
      Entry entry = Entry.of(named.getKey(), tensor, begin);
      placed.put(entry, tensor);
      begin = entry.end();
    }
    return placed;
  }

  private void write(Tensor tensor) throws IOException {
    HeapStorage values = tensor.heap();
    int width = tensor.dtype().bytes();
    int room = buffer.capacity() / width;
    int count;
    for (int first = 0; first < values.length(); first += count) {
      count = Math.min(room, values.length() - first);
      buffer.clear().limit(count * width);
      values.write(first, count, MemorySegment.ofBuffer(buffer), 0, ByteOrder.LITTLE_ENDIAN);
      write(buffer);
    }
  }

  private void write(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      file.write(bytes);
    }
  }
}
