// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.lane.slot;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.rpc.wire.TensorHeader;
import dev.tensorbus.rpc.wire.WireTensor;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The values of some tensors, end to end: one run of bytes, wherever one array ends and the next
/// begins.
public final class GatherBuffer {
  private final List<Object> arrays;
  private final MemorySegment[] parts;
  private final long[] starts;
  private final long bytes;

  private GatherBuffer(List<Object> arrays) {
    this.arrays = arrays;
    parts = new MemorySegment[arrays.size()];
    starts = new long[parts.length];
    long position = 0;
    for (int i = 0; i < parts.length; i++) {
      parts[i] = segment(arrays.get(i));
      starts[i] = position;
      position += parts[i].byteSize();
    }
    bytes = position;
  }

  /// The values of tensors that go out.
  public static GatherBuffer of(List<WireTensor> tensors) {
    return new GatherBuffer(
        tensors.stream().map(WireTensor::values).map(GatherBuffer::asBytesIfFlags).toList());
  }

  /// Room for the values of tensors that come in. Takes as much memory as they do.
  public static GatherBuffer roomFor(List<WireTensor> tensors) {
    return new GatherBuffer(
        tensors.stream().map(WireTensor::header).map(GatherBuffer::room).toList());
  }

  private static Object room(TensorHeader header) {
    return header.type() == DType.BOOL
        ? new byte[header.count()]
        : header.type().newArray(header.count());
  }

  private static MemorySegment segment(Object array) {
    return switch (array) {
      case float[] floats -> MemorySegment.ofArray(floats);
      case double[] doubles -> MemorySegment.ofArray(doubles);
      case short[] halves -> MemorySegment.ofArray(halves);
      case long[] longs -> MemorySegment.ofArray(longs);
      default -> MemorySegment.ofArray((byte[]) array);
    };
  }

  /// There are no segments of booleans.
  private static Object asBytesIfFlags(Object values) {
    if (!(values instanceof boolean[] flags)) {
      return values;
    }
    byte[] bytes = new byte[flags.length];
    for (int i = 0; i < flags.length; i++) {
      bytes[i] = (byte) (flags[i] ? 1 : 0);
    }
    return bytes;
  }

  private static Object asFlagsIfBytes(Object values) {
    if (!(values instanceof byte[] bytes)) {
      return values;
    }
    boolean[] flags = new boolean[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      flags[i] = bytes[i] != 0;
    }
    return flags;
  }

  public long bytes() {
    return bytes;
  }

  /// How many bytes a chunk has: all are full but the last.
  public int length(long chunk) {
    return (int) Math.min(Slots.CHUNK, bytes - chunk * Slots.CHUNK);
  }

  /// Copies a chunk out of the arrays.
  void read(long chunk, MemorySegment slot) {
    copy(chunk, slot, true);
  }

  /// Copies a chunk into the arrays.
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

  /// The last part that begins at or before a byte.
  private int partAt(long position) {
    int found = Arrays.binarySearch(starts, position);
    return found >= 0 ? found : -found - 2;
  }

  /// The tensors, of which all values have been written here.
  List<WireTensor> fill(List<WireTensor> tensors) {
    List<WireTensor> filled = new ArrayList<>(tensors.size());
    for (int i = 0; i < arrays.size(); i++) {
      filled.add(tensors.get(i).filled(asFlagsIfBytes(arrays.get(i))));
    }
    return filled;
  }
}
