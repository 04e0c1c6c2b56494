// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.shape;

/// The sizes of a pooling. Each window of rows meets each window of columns: that is one result.
///
/// @param planes images times channels, each pooled by itself
public record PoolingShape(int planes, PoolingWindows rows, PoolingWindows columns) {
  /// Values of one plane.
  public int pixels() {
    return rows.size() * columns.size();
  }

  /// Results of one plane.
  public int outputPixels() {
    return rows.count() * columns.count();
  }

  /// Values of all results.
  public int outputs() {
    return planes * outputPixels();
  }
}
