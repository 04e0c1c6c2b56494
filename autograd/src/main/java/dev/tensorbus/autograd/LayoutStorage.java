// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import org.jspecify.annotations.Nullable;

/// Values that are copied into an array when all of them are first requested.
final class LayoutStorage implements Storage {
  private final Layout layout;
  private volatile @Nullable HeapStorage dense;

  LayoutStorage(Layout layout) {
    this.layout = layout;
  }

  Layout layout() {
    return layout;
  }

  boolean isLaidOut() {
    return dense != null;
  }

  @Override
  public DType dtype() {
    return layout.dtype();
  }

  @Override
  public long size() {
    return layout.shape().numel();
  }

  /// Two threads may both compute the array, with equal results.
  @Override
  public HeapStorage heap() {
    HeapStorage present = dense;
    if (present == null) {
      present = layout.dense();
      dense = present;
    }
    return present;
  }
}
