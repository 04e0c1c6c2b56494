// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.text;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.functional.Losses;

/// The words that a language model reads in one step, and the words that follow.
///
/// @param inputs the numbers of words, `[steps, batch]`
/// @param labels the number of the word after each of them
public record TokenBatch(Tensor inputs, int[] labels) {
  /// The mean cross-entropy of a model's scores for the words that follow.
  ///
  /// @param scores `[steps, batch, tokens]`
  public Tensor loss(Tensor scores) {
    return Losses.crossEntropy(scores.reshape(-1, scores.shape().size(-1)), labels);
  }

  /// How many words it holds.
  public int size() {
    return labels.length;
  }
}
