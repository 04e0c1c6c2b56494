// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import dev.tensorbus.autograd.HeapStorage;
import dev.tensorbus.autograd.kernel.shape.Strided;

/// Copies values between a view of a storage and another storage in row-major order.
public final class Views {
  private Views() {}

  /// Copies the values of a view to row-major order.
  public static void gather(Strided view, HeapStorage source, HeapStorage target) {
    view.forEachRow(
        (place, step, index, count) -> source.copyTo(place, step, target, index, 1, count));
  }

  /// Copies row-major values to a view.
  public static void scatter(Strided view, HeapStorage source, HeapStorage target) {
    view.forEachRow(
        (place, step, index, count) -> source.copyTo(index, 1, target, place, step, count));
  }

  /// Adds row-major values to the values of a view.
  public static void add(Strided view, HeapStorage source, HeapStorage sums) {
    view.forEachRow((place, step, index, count) -> source.addTo(index, sums, place, step, count));
  }
}
