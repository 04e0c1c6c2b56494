// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.transformer;

/// The options of a transformer layer: `TransformerOptions.of(64, 4).withDropout(0.2f)`.
///
/// @param size the number of features of each position
/// @param heads the number of attention heads
/// @param feedforward the number of features between the two linear layers
/// @param dropout the probability of dropping a value
/// @param gelu whether the activation between the linear layers is GELU instead of ReLU
/// @param normFirst whether normalization precedes attention and feedforward instead of following
///     them
public record TransformerOptions(
    int size, int heads, int feedforward, float dropout, boolean gelu, boolean normFirst) {
  /// Returns options with torch's defaults: 2048 features between the linear layers, ReLU, and a
  /// dropout of 0.1.
  public static TransformerOptions of(int size, int heads) {
    return new TransformerOptions(size, heads, 2048, 0.1f, false, false);
  }

  /// Returns a copy with the given number of features between the linear layers.
  public TransformerOptions withFeedforward(int feedforward) {
    return new TransformerOptions(size, heads, feedforward, dropout, gelu, normFirst);
  }

  /// Returns a copy with the given probability of dropout.
  public TransformerOptions withDropout(float dropout) {
    return new TransformerOptions(size, heads, feedforward, dropout, gelu, normFirst);
  }

  /// Returns a copy with GELU.
  public TransformerOptions withGelu() {
    return new TransformerOptions(size, heads, feedforward, dropout, true, normFirst);
  }

  /// Returns a copy that normalizes first, so that no learning rate warm-up is needed.
  public TransformerOptions withNormFirst() {
    return new TransformerOptions(size, heads, feedforward, dropout, gelu, true);
  }
}
