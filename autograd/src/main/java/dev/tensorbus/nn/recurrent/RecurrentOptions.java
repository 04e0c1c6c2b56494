// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.recurrent;

/// The settings of a recurrent network: `RecurrentOptions.of(200, 400).withLayers(2)`.
///
/// @param inputs values of a step's input
/// @param hidden values of a hidden state
/// @param layers layers of which each but the first reads the one below
/// @param bidirectional whether each layer reads the sequence from both ends, half its outputs
///     from each
/// @param dropout the probability of leaving out an output of a layer that another one reads
public record RecurrentOptions(
    int inputs, int hidden, int layers, boolean bidirectional, float dropout) {
  /// @throws IllegalArgumentException if a size is not positive
  public RecurrentOptions {
    if (inputs < 1 || hidden < 1 || layers < 1) {
      throw new IllegalArgumentException(
          "recurrent network: inputs %d, hidden %d, layers %d; expected at least 1 of each"
              .formatted(inputs, hidden, layers));
    }
  }

  /// One layer that reads forward.
  public static RecurrentOptions of(int inputs, int hidden) {
    return new RecurrentOptions(inputs, hidden, 1, false, 0f);
  }

  /// The same with so many layers.
  public RecurrentOptions withLayers(int layers) {
    return new RecurrentOptions(inputs, hidden, layers, bidirectional, dropout);
  }

  /// The same, reading from both ends.
  public RecurrentOptions withBothDirections() {
    return new RecurrentOptions(inputs, hidden, layers, true, dropout);
  }

  /// The same with dropout between layers.
  public RecurrentOptions withDropout(float dropout) {
    return new RecurrentOptions(inputs, hidden, layers, bidirectional, dropout);
  }

  int directions() {
    return bidirectional ? 2 : 1;
  }

  /// The number of inputs of layer `layer`.
  int inputsOf(int layer) {
    return layer == 0 ? inputs : directions() * hidden;
  }
}
