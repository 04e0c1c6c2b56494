// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data.npy;

import dev.tensorbus.autograd.Shape;
import java.nio.ByteOrder;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The header of an `.npy` file: a Python dictionary with the type, byte order and shape of the
/// values.
///
/// @param isFortran whether the first axis is contiguous, as in Fortran, instead of the last
record NpyHeader(NpyType type, ByteOrder order, boolean isFortran, Shape shape) {
  /// Returns the size of the values in the file, in bytes.
  long size() {
    return (long) shape.elements() * type.width();
  }

  /// Returns the memory per value while the file is read, in bytes. Values in Fortran order need an
  /// extra copy.
  int bytesInMemory() {
    return (isFortran ? 2 : 1) * type.bytesInMemory();
  }

  /// Returns the dictionary as NumPy writes it, for row-major values.
  static String text(NpyType type, Shape shape) {
    String sizes =
        IntStream.of(shape.toArray()).mapToObj(String::valueOf).collect(Collectors.joining(", "));
    return "{'descr': '%s', 'fortran_order': False, 'shape': (%s%s), }"
        .formatted(type.description(), sizes, shape.rank() == 1 ? "," : "");
  }
}
