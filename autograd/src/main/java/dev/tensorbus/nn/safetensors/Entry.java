// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.safetensors;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The entry of one tensor in the header. If the type is unknown or there are too many values for
/// an array, only reading this tensor fails.
///
/// @param dtype the format's name of the type
/// @param begin the offset of the tensor's first byte, counted from the end of the header
/// @param end the offset after the tensor's last byte
record Entry(String name, String dtype, List<Long> sizes, long begin, long end) {
  /// Returns the entry of a tensor to be written.
  static Entry of(String name, Tensor tensor, long begin) {
    Encoding encoding = Encoding.of(tensor.dtype());
    List<Long> sizes = Arrays.stream(tensor.shape().toArray()).mapToObj(Long::valueOf).toList();
    long length = (long) tensor.shape().elements() * encoding.width();
    return new Entry(name, encoding.name(), sizes, begin, begin + length);
  }

  /// Creates the tensor.
  ///
  /// @param data all bytes after the header
  /// @throws SafetensorsException if the type is unknown or the tensor too large
  Tensor decode(MemorySegment data) {
    @Nullable Encoding encoding = Encoding.named(dtype);
    if (encoding == null) {
      throw new SafetensorsException(
          ("%s has dtype %s; expected one of %s; convert it in Python, for example with"
                  + " tensor.to(torch.float32), or leave it out: read(file, name ->"
                  + " !name.equals(\"%s\"))")
              .formatted(name, dtype, Arrays.toString(Encoding.values()), name));
    }
    return encoding.decode(shape(), data.asSlice(begin, end - begin));
  }

  private Shape shape() {
    try {
      return Shape.ofArray(sizes.stream().mapToInt(Math::toIntExact).toArray());
    } catch (ShapeException | ArithmeticException e) {
      throw new SafetensorsException(
          "%s has the shape %s, more than an array can hold; save it in parts, or leave it out"
              .formatted(name, sizes),
          e);
    }
  }

  /// Returns the number of bytes that the type and the sizes require; for an unknown type, the
  /// number of bytes in the file.
  private long size() {
    @Nullable Encoding encoding = Encoding.named(dtype);
    if (encoding == null) {
      return Math.max(0, end - begin);
    }
    try {
      return sizes.stream().reduce((long) encoding.width(), Math::multiplyExact);
    } catch (ArithmeticException e) {
      throw SafetensorsException.damaged(
          name + " has the shape " + sizes + ", more than a file can hold", e);
    }
  }

  /// Checks that the entries fill the data without gaps: in the order of offsets, each entry begins
  /// where the previous one ends, and has the number of bytes that its type and shape require.
  ///
  /// @throws SafetensorsException if they do not; the message does not contain the file name
  static void requireNoGaps(List<Entry> entries, long length) {
    List<Entry> placed = new ArrayList<>(entries);
    placed.sort(Comparator.comparingLong(Entry::begin).thenComparingLong(Entry::end));
    long end = 0;
    for (Entry entry : placed) {
      long size = entry.size();
      if (entry.begin != end || entry.end - entry.begin != size) {
        throw SafetensorsException.damaged(
            "%s %s %s is at bytes %d to %d; expected %d to %d"
                .formatted(
                    entry.name, entry.dtype, entry.sizes, entry.begin, entry.end, end, end + size));
      }
      end = entry.end;
    }
    if (end != length) {
      throw SafetensorsException.damaged(
          "%d bytes follow the header, but its tensors need %d".formatted(length, end));
    }
  }
}
