// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.lane.slot;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.HeapStorage;
import dev.tensorbus.rpc.wire.WireTensor;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Presents the arrays of several tensors as one contiguous sequence of bytes.
public final class GatherBuffer {
  private final List<HeapStorage> storages;
  private final MemorySegment[] parts;
  private final long[] starts;
  private final long bytes;

  private GatherBuffer(List<HeapStorage> storages) {
    this.storages = storages;
    parts = new MemorySegment[storages.size()];
    starts = new long[parts.length];
    long position = 0;
    for (int i = 0; i < parts.length; i++) {
      parts[i] = storages.get(i).asSegment();
      starts[i] = position;
      position += parts[i].byteSize();
    }
    bytes = position;
  }

  /// Returns a buffer for sending the values of these tensors.
  public static GatherBuffer of(List<WireTensor> tensors) {
    return new GatherBuffer(tensors.stream().map(WireTensor::values).toList());
  }

  /// Allocates a buffer for receiving the values of these tensors.
  public static GatherBuffer roomFor(List<WireTensor> tensors) {
    return new GatherBuffer(
        tensors.stream()
            .map(WireTensor::header)
            .map(header -> HeapStorage.zeros(header.type(), header.count()))
            .toList());
  }

  public long bytes() {
    return bytes;
  }

  /// Returns the length of a chunk in bytes. All chunks but the last are full.
  public int length(long chunk) {
    return (int) Math.min(Slots.CHUNK, bytes - chunk * Slots.CHUNK);
  }

  /// Copies a chunk from the arrays to a slot.
  void read(long chunk, MemorySegment slot) {
    copy(chunk, slot, true);
  }

  /// Copies a chunk from a slot to the arrays.
  public void write(long chunk, MemorySegment slot) {
    copy(chunk, slot, false);
  }

  private void copy(long chunk, MemorySegment slot, boolean isOut) {
    long from = chunk * Slots.CHUNK;
    int length = length(chunk);
    for (int done = 0, part = partAt(from); done < length; part++) {
      long inPart = from + done - starts[part];
      long count = Math.min(length - done, parts[part].byteSize() - inPart);
      if (isOut) {
        MemorySegment.copy(parts[part], inPart, slot, done, count);
      } else {
        MemorySegment.copy(slot, done, parts[part], inPart, count);
      }
      done += (int) count;
    }
  }

  /// Returns the index of the last array that starts at or before a byte position.
  private int partAt(long position) {
    int found = Arrays.binarySearch(starts, position);
    return found >= 0 ? found : -found - 2;
  }

  /// Returns the tensors with the received values.
  List<WireTensor> fill(List<WireTensor> tensors) {
    List<WireTensor> filled = new ArrayList<>(tensors.size());
    for (int i = 0; i < parts.length; i++) {
      HeapStorage values = storages.get(i);
      if (values.dtype() == DType.BOOL) { // its segment is a copy
        values.read(parts[i], 0, ByteOrder.nativeOrder(), 0, values.length());
      }
      filled.add(tensors.get(i).filled(values));
    }
    return filled;
  }
}
