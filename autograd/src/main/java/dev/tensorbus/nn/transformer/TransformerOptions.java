// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.transformer;

/// The settings of a transformer's layer: `TransformerOptions.of(64, 4).withDropout(0.2f)`.
///
/// @param size values of each place
/// @param heads heads of attention
/// @param feedforward values between the two linear layers after attention
/// @param dropout the probability of leaving values out
/// @param gelu whether GELU stands between these, instead of ReLU
/// @param normFirst whether normalization comes before attention and feedforward, not after
public record TransformerOptions(
    int size, int heads, int feedforward, float dropout, boolean gelu, boolean normFirst) {
  /// As torch has it without further arguments: 2048 values between, ReLU, dropout of 0.1.
  public static TransformerOptions of(int size, int heads) {
    return new TransformerOptions(size, heads, 2048, 0.1f, false, false);
  }

  /// The same with so many values between.
  public TransformerOptions withFeedforward(int feedforward) {
    return new TransformerOptions(size, heads, feedforward, dropout, gelu, normFirst);
  }

  /// The same with this dropout.
  public TransformerOptions withDropout(float dropout) {
    return new TransformerOptions(size, heads, feedforward, dropout, gelu, normFirst);
  }

  /// The same with GELU.
  public TransformerOptions withGelu() {
    return new TransformerOptions(size, heads, feedforward, dropout, true, normFirst);
  }

  /// The same with normalization first, which trains without a slow start.
  public TransformerOptions withNormFirst() {
    return new TransformerOptions(size, heads, feedforward, dropout, gelu, true);
  }
}
