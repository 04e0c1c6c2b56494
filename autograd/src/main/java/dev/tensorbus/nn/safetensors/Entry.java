// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.safetensors;

import dev.tensorbus.autograd.Shape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// A header's entry for one tensor.
///
/// @param begin where its bytes begin, counted from the end of the header
/// @param end where they end
record Entry(String name, Encoding encoding, Shape shape, long begin, long end) {
  /// How many bytes the values take.
  long size() {
    return encoding.size(shape);
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
      if (entry.begin != end || entry.end - entry.begin != entry.size()) {
        throw new SafetensorsException(
            "%s %s %s lies at bytes %d to %d; expected %d to %d"
                .formatted(
                    entry.name,
                    entry.encoding,
                    entry.shape,
                    entry.begin,
                    entry.end,
                    end,
                    end + entry.size()));
      }
      end = entry.end;
    }
    if (end != length) {
      throw new SafetensorsException(
          "%d bytes follow the header, its tensors take %d".formatted(length, end));
    }
  }
}
