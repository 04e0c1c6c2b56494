// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.shape;

/// The sizes of a pooling: one result for each pair of a row window and a column window.
///
/// @param planes images times channels, each pooled separately
public record PoolingShape(int planes, PoolingWindows rows, PoolingWindows columns) {
  /// Returns the values of one plane.
  public int pixels() {
    return rows.size() * columns.size();
  }

  /// Returns the results of one plane.
  public int outputPixels() {
    return rows.count() * columns.count();
  }

  /// Returns the number of all results.
  public int outputs() {
    return planes * outputPixels();
  }
}
