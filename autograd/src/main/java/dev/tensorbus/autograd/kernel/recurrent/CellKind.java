// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.recurrent;

/// How a recurrent network computes its next state. Gates are blocks of `hidden` values in torch's
/// order; each is a weighted sum of the input plus one of the previous hidden state.
public enum CellKind {
  /// Elman, "Finding Structure in Time" (1990): `tanh(x + h)`.
  RNN_TANH(1),
  /// `max(x + h, 0)`.
  RNN_RELU(1),
  /// Cho et al., "Learning Phrase Representations" (2014), in torch's variant: reset, update, new.
  GRU(3),
  /// Hochreiter and Schmidhuber, "Long Short-Term Memory" (1997): input, forget, cell, output.
  LSTM(4);

  private final int gates;

  CellKind(int gates) {
    this.gates = gates;
  }

  /// Returns the number of blocks of `hidden` values that a step computes.
  public int gates() {
    return gates;
  }

  /// Returns whether the state has a cell in addition to its hidden values.
  public boolean hasCell() {
    return this == LSTM;
  }

  /// Returns whether each gate is a function of the sum of its two sums, which then share an array.
  /// A GRU's new values scale one of the sums.
  public boolean addsSums() {
    return this != GRU;
  }
}
