// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.shape;

/// The sizes of a pooling over squares of `window` by `window` that do not overlap; rows and
/// columns that fill no whole window are left out.
///
/// @param planes images times channels, each pooled by itself
public record PoolingShape(int planes, int height, int width, int window) {
  /// Rows of a result.
  public int outputHeight() {
    return height / window;
  }

  /// Columns of a result.
  public int outputWidth() {
    return width / window;
  }

  /// Values of all results.
  public int outputs() {
    return planes * outputHeight() * outputWidth();
  }
}
