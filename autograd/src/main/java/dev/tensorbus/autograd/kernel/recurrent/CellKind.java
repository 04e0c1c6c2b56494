// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.recurrent;

/// How a recurrent network makes its next state. Gates are blocks of `hidden` values in torch's
/// order; each is a weighted sum of the input plus one of the previous hidden state.
public enum CellKind {
  /// Elman, "Finding Structure in Time" (1990): `tanh(x + h)`.
  RNN_TANH(1),
  /// The same with `max(x + h, 0)`.
  RNN_RELU(1),
  /// Cho et al., "Learning Phrase Representations" (2014), as torch has it: reset, update, new.
  GRU(3),
  /// Hochreiter and Schmidhuber, "Long Short-Term Memory" (1997): input, forget, cell, output.
  LSTM(4);

  private final int gates;

  CellKind(int gates) {
    this.gates = gates;
  }

  /// How many blocks of `hidden` values a step computes.
  public int gates() {
    return gates;
  }

  /// Whether the state has a cell beside its hidden values.
  public boolean hasCell() {
    return this == LSTM;
  }

  /// Whether a gate is a function of the sum of its two sums, so that these share an array. A
  /// GRU's new values scale one of them.
  public boolean addsSums() {
    return this != GRU;
  }
}
