// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data;

import dev.tensorbus.autograd.Tensor;

/// The examples of one step and the classes that a network should name.
///
/// @param inputs one row per example
/// @param labels the class of each row
public record Batch(Tensor inputs, int[] labels) {
  /// The number of examples.
  public int size() {
    return labels.length;
  }
}
