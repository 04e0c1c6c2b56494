// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.gpt;

/// The settings of a [Gpt].
///
/// @param vocabulary how many tokens there are
/// @param context how many tokens it sees at most
/// @param size values of each place, a multiple of `heads`
/// @param layers how many blocks
/// @param heads heads of attention in each block
/// @param dropout the probability of leaving values out in training
public record GptOptions(
    int vocabulary, int context, int size, int layers, int heads, float dropout) {
  /// Checks the sizes.
  public GptOptions {
    if (vocabulary < 1 || context < 1 || size < 1 || layers < 1) {
      throw new IllegalArgumentException(
          "gpt: vocabulary %d, context %d, size %d and layers %d; each must be 1 or more"
              .formatted(vocabulary, context, size, layers));
    }
    if (heads < 1 || size % heads != 0) {
      throw new IllegalArgumentException(
          "gpt: %d values do not fall into %d heads; give a divisor".formatted(size, heads));
    }
  }

  /// The same with this dropout.
  public GptOptions withDropout(float dropout) {
    return new GptOptions(vocabulary, context, size, layers, heads, dropout);
  }
}
