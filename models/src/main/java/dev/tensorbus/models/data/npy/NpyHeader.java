// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data.npy;

import dev.tensorbus.autograd.Shape;
import java.nio.ByteOrder;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// What a file says about its values before they come: a Python dictionary.
///
/// @param isFortran whether the first axis runs fastest, as in Fortran, and not the last
record NpyHeader(NpyType type, ByteOrder order, boolean isFortran, Shape shape) {
  /// How many bytes the values take.
  long size() {
    return (long) shape.elements() * type.width();
  }

  /// How many bytes of memory a value takes while the file is read. Values in Fortran's order are
  /// brought into another one.
  int bytesInMemory() {
    return (isFortran ? 2 : 1) * type.bytesInMemory();
  }

  /// The dictionary as NumPy writes it, for values in row-major order.
  static String text(NpyType type, Shape shape) {
    String sizes =
        IntStream.of(shape.toArray()).mapToObj(String::valueOf).collect(Collectors.joining(", "));
    return "{'descr': '%s', 'fortran_order': False, 'shape': (%s%s), }"
        .formatted(type.description(), sizes, shape.rank() == 1 ? "," : "");
  }
}
