// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.recurrent;

import java.util.function.Consumer;

/// The arithmetic of recurrent networks. [dev.tensorbus.autograd.kernel.scalar.DoubleRecurrence] is
/// the specification of each method.
///
/// @param <A> the arrays: `float[]` or `double[]`
public interface Recurrence<A> {
  /// Packs a matrix for as long as `body` runs.
  ///
  /// @param b `[inner, columns]`, or `[columns, inner]` if transposed
  void withPackedMatrix(
      int inner, int columns, boolean transposed, A b, Consumer<PackedMatrix<A>> body);

  /// Computes the next state of a network of this kind.
  void forward(CellKind kind, CellStep<A> step);

  /// Computes the gradients of a step's inputs.
  void backward(CellKind kind, CellStep<A> step, CellGradient<A> gradient);

  /// Runs a task for ranges of a batch's rows that together are all of it: each range is a
  /// sequence of steps that needs nothing of the others.
  ///
  /// @param work how many multiplications a row takes
  void divide(int rows, long work, Rows task);

  /// Computes the rows from `first` to `end`, without `end`.
  @FunctionalInterface
  interface Rows {
    void accept(int first, int end);
  }
}
