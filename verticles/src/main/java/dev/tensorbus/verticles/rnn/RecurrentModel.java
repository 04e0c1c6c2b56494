// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.rnn;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.recurrent.Lstm;

/// A language model that remembers the words before.
interface RecurrentModel {
  /// Runs the model forward on word indices `[steps, batch]`.
  RnnModel.Output forward(Tensor input, Lstm.State hidden);

  /// Returns the initial state for the given number of parallel texts.
  Lstm.State initHidden(int texts);

  /// Switches all parts to training mode.
  void train();

  /// Switches all parts to evaluation mode.
  void eval();
}
