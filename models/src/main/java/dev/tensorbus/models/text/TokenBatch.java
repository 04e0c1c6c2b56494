// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.text;

import dev.tensorbus.autograd.Tensor;

/// What a language model reads in one step, and what comes next.
///
/// @param inputs the numbers of words, `[steps, batch]`
/// @param labels the number of the word after each of them
public record TokenBatch(Tensor inputs, int[] labels) {
  /// How many words it holds.
  public int size() {
    return labels.length;
  }
}
