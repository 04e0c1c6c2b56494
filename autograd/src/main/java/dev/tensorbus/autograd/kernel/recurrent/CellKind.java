// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.recurrent;

/// The formula by which a recurrent network computes its next state. Each gate is a block of
/// `hidden` values; the blocks are in torch's order. A gate depends on a weighted sum `x` of the
/// input and a weighted sum `h` of the previous hidden state.
public enum CellKind {
  /// Elman, "Finding Structure in Time" (1990): `tanh(x + h)`.
  RNN_TANH(1),
  /// `max(x + h, 0)`.
  RNN_RELU(1),
  /// Cho et al., "Learning Phrase Representations" (2014), in torch's variant, with the gates
  /// reset, update and new.
  GRU(3),
  /// Hochreiter and Schmidhuber, "Long Short-Term Memory" (1997), with the gates input, forget,
  /// cell and output.
  LSTM(4);

  private final int gates;

  CellKind(int gates) {
    this.gates = gates;
  }

  /// Returns the number of gates, each a block of `hidden` values.
  public int gates() {
    return gates;
  }

  /// Returns whether the network has a cell state in addition to its hidden state.
  public boolean hasCell() {
    return this == LSTM;
  }

  /// Returns whether every gate is a function of `x + h`. If so, both sums are accumulated in one
  /// array. A GRU needs them separately, since its new gate multiplies only `h` by the reset gate.
  public boolean addsSums() {
    return this != GRU;
  }
}
