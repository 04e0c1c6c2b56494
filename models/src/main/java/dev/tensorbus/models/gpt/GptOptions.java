// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.gpt;

/// The settings of a [Gpt].
///
/// @param vocabulary number of different tokens
/// @param context maximum length of a text, in tokens
/// @param size embedding size, a multiple of `heads`
/// @param layers number of blocks
/// @param heads number of attention heads in each block
/// @param dropout dropout probability in training
public record GptOptions(
    int vocabulary, int context, int size, int layers, int heads, float dropout) {
  /// @throws IllegalArgumentException if a size is below 1, or `size` is not a multiple of `heads`
  public GptOptions {
    if (vocabulary < 1 || context < 1 || size < 1 || layers < 1) {
      throw new IllegalArgumentException(
          "gpt: vocabulary %d, context %d, size %d and layers %d; each must be 1 or more"
              .formatted(vocabulary, context, size, layers));
    }
    if (heads < 1 || size % heads != 0) {
      throw new IllegalArgumentException(
          "gpt: size %d is not a multiple of %d heads; the number of heads must divide the size"
              .formatted(size, heads));
    }
  }

  /// Returns a copy with another dropout probability.
  public GptOptions withDropout(float dropout) {
    return new GptOptions(vocabulary, context, size, layers, heads, dropout);
  }
}
