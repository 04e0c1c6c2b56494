// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import java.util.Locale;

/// The element type of a tensor. The constants are in promotion order: an operation on two types
/// computes in the later one.
public enum DType {
  /// Booleans, for masks.
  BOOL(1),
  /// 64-bit integers, for indices and labels.
  INT64(Long.BYTES),
  /// Brain floating point: the upper 16 bits of a float32, for files, messages and tables. Values
  /// are stored, moved and compared in this type; arithmetic converts them to float32.
  BFLOAT16(Short.BYTES),
  /// 32-bit floating point: the type of neural networks, with vectorized kernels.
  FLOAT32(Float.BYTES),
  /// 64-bit floating point, for computations that need precision, such as
  /// [dev.tensorbus.autograd.graph.GradientCheck]. Its kernels are plain loops.
  FLOAT64(Double.BYTES);

  private final int bytes;

  DType(int bytes) {
    this.bytes = bytes;
  }

  /// Returns the size in bytes of one value in files and messages.
  public int bytes() {
    return bytes;
  }

  /// Returns whether this is float32 or float64, the types that operations compute in and whose
  /// values can have gradients.
  public boolean isFloating() {
    return this == FLOAT32 || this == FLOAT64;
  }

  /// Returns torch's name, such as `float32`.
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
