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

/// A header's entry for one tensor. It may be one that this reader cannot make, of an unknown type
/// or with more values than an array holds: only who asks for it gets an error.
///
/// @param dtype the format's name of the type
/// @param begin where its bytes begin, counted from the end of the header
/// @param end where they end
record Entry(String name, String dtype, List<Long> sizes, long begin, long end) {
  /// An entry for a tensor that is to be written.
  static Entry of(String name, Tensor tensor, long begin) {
    Encoding encoding = Encoding.of(tensor.dtype());
    List<Long> sizes = Arrays.stream(tensor.shape().toArray()).mapToObj(Long::valueOf).toList();
    long length = (long) tensor.shape().elements() * encoding.width();
    return new Entry(name, encoding.name(), sizes, begin, begin + length);
  }

  /// Makes the tensor.
  ///
  /// @param data all bytes after the header
  /// @throws SafetensorsException if its type is unknown, or if it is too large
  Tensor decode(MemorySegment data) {
    @Nullable Encoding encoding = Encoding.named(dtype);
    if (encoding == null) {
      throw new SafetensorsException(
          ("%s is of dtype %s; expected one of %s; convert it in Python, as with"
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
          "%s has the shape %s, more than an array holds; save it in parts, or leave it out"
              .formatted(name, sizes),
          e);
    }
  }

  /// How many bytes the values take. Of an unknown type, as many as there are.
  private long size() {
    @Nullable Encoding encoding = Encoding.named(dtype);
    if (encoding == null) {
      return Math.max(0, end - begin);
    }
    try {
      return sizes.stream().reduce((long) encoding.width(), Math::multiplyExact);
    } catch (ArithmeticException e) {
      throw SafetensorsException.damaged(
          name + " has the shape " + sizes + ", more than a file holds", e);
    }
  }

  /// Checks that entries fill the data from front to back: in their order of place each begins
  /// where the one before it ends, and takes what its type and shape need.
  ///
  /// @throws SafetensorsException naming the first that does not, without the file's name
  static void requireNoGaps(List<Entry> entries, long length) {
    List<Entry> placed = new ArrayList<>(entries);
    placed.sort(Comparator.comparingLong(Entry::begin).thenComparingLong(Entry::end));
    long end = 0;
    for (Entry entry : placed) {
      long size = entry.size();
      if (entry.begin != end || entry.end - entry.begin != size) {
        throw SafetensorsException.damaged(
            "%s %s %s lies at bytes %d to %d; expected %d to %d"
                .formatted(
                    entry.name, entry.dtype, entry.sizes, entry.begin, entry.end, end, end + size));
      }
      end = entry.end;
    }
    if (end != length) {
      throw SafetensorsException.damaged(
          "%d bytes follow the header, its tensors take %d".formatted(length, end));
    }
  }
}
