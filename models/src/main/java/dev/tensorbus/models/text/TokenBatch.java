// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.text;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.functional.Losses;

/// The input words of one training step of a language model, and the word that follows each of
/// them.
///
/// @param inputs token ids `[steps, batch]`
/// @param labels the token id that follows each input, int64 `[steps * batch]`
public record TokenBatch(Tensor inputs, Tensor labels) {
  /// Returns the mean cross-entropy loss of a model's scores.
  ///
  /// @param scores `[steps, batch, tokens]`
  public Tensor loss(Tensor scores) {
    return Losses.crossEntropy(scores.reshape(-1, scores.shape().size(-1)), labels);
  }

  /// Returns the number of words.
  public int size() {
    return labels.shape().elements();
  }
}
