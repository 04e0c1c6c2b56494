// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import java.util.Locale;

/// The type of a tensor's values. The order is that of promotion: an operation between two types
/// computes in the later one.
public enum DType {
  /// True or false: masks.
  BOOL(1),
  /// Whole numbers of 64 bits: indices and labels.
  INT64(Long.BYTES),
  /// Half of float32's bits, for files, messages and tables: values are stored, moved and compared,
  /// and computed with as float32.
  BFLOAT16(Short.BYTES),
  /// The type that networks compute in; its kernels are fast.
  FLOAT32(Float.BYTES),
  /// The type for precision, as [dev.tensorbus.autograd.graph.GradientCheck] needs it; its kernels
  /// are plain loops.
  FLOAT64(Double.BYTES);

  private final int bytes;

  DType(int bytes) {
    this.bytes = bytes;
  }

  /// The size of one value in files and messages.
  public int bytes() {
    return bytes;
  }

  /// Whether operations compute in this type, and values of it have gradients.
  public boolean isFloating() {
    return this == FLOAT32 || this == FLOAT64;
  }

  /// As torch names it: `float32`.
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
