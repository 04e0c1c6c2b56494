// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.recurrent;

/// The options of a recurrent network: `RecurrentOptions.of(200, 400).withLayers(2)`.
///
/// @param inputs the number of input values of a step
/// @param hidden the size of the hidden state
/// @param layers the number of stacked layers
/// @param bidirectional whether each layer also reads the sequence backward, so that each direction
///     computes half of the outputs
/// @param dropout the probability of dropping a value between two layers
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

  /// Returns the options of a network with one layer that reads forward.
  public static RecurrentOptions of(int inputs, int hidden) {
    return new RecurrentOptions(inputs, hidden, 1, false, 0f);
  }

  /// Returns a copy with the given number of layers.
  public RecurrentOptions withLayers(int layers) {
    return new RecurrentOptions(inputs, hidden, layers, bidirectional, dropout);
  }

  /// Returns a copy that reads in both directions.
  public RecurrentOptions withBothDirections() {
    return new RecurrentOptions(inputs, hidden, layers, true, dropout);
  }

  /// Returns a copy with the given probability of dropout between layers.
  public RecurrentOptions withDropout(float dropout) {
    return new RecurrentOptions(inputs, hidden, layers, bidirectional, dropout);
  }

  int directions() {
    return bidirectional ? 2 : 1;
  }

  /// Returns the number of input values of a layer.
  int inputsOf(int layer) {
    return layer == 0 ? inputs : directions() * hidden;
  }
}
