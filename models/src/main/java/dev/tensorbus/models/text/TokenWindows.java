// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.text;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.Batch;
import dev.tensorbus.models.data.DataException;
import dev.tensorbus.models.data.Dataset;

/// Cuts a text into windows for a transformer, which processes each window independently. For a
/// recurrent network, which carries its state from batch to batch, use [TokenBatches].
public final class TokenWindows {
  private TokenWindows() {}

  /// Returns consecutive windows. Each one is a batch with a single example: inputs `[1, length]`
  /// are the window's tokens, targets `[1, length]` the tokens that follow them.
  /// [Batch#concatenate] combines several windows.
  ///
  /// @param tokens token ids, int64 `[n]`; those left over after the last window are dropped
  /// @throws DataException if the text is not longer than one window
  public static Dataset<Batch> of(Tensor tokens, int length) {
    int count = (tokens.shape().elements() - 1) / length;
    if (count < 1) {
      throw new DataException(
          ("a text of %d tokens is too short for windows of %d and the token after them; use a"
                  + " longer text")
              .formatted(tokens.shape().elements(), length));
    }
    Tensor row = tokens.unsqueeze(0);
    return Dataset.of(
        count,
        i ->
            new Batch(
                row.slice(1, i * length, (i + 1) * length),
                row.slice(1, i * length + 1, (i + 1) * length + 1)));
  }
}
