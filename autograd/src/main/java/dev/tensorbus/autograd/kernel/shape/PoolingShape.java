// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.shape;

/// The sizes of a pooling operation: one result for each pair of a row window and a column window.
///
/// @param planes the number of images times the number of channels; each plane is pooled separately
public record PoolingShape(int planes, PoolingWindows rows, PoolingWindows columns) {
  /// Returns the number of values of one plane.
  public int pixels() {
    return rows.size() * columns.size();
  }

  /// Returns the number of results of one plane.
  public int outputPixels() {
    return rows.count() * columns.count();
  }

  /// Returns the number of results of all planes.
  public int outputs() {
    return planes * outputPixels();
  }
}
