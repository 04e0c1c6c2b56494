// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.recurrent;

import java.util.function.Consumer;

/// The kernels of recurrent networks. [dev.tensorbus.autograd.kernel.scalar.DoubleRecurrence] is
/// the reference implementation.
///
/// @param <A> the array type: `float[]` or `double[]`
public interface Recurrence<A> {
  /// Packs a matrix and passes it to `body`. The packed matrix is valid only until `body` returns.
  ///
  /// @param b `[inner, columns]`, or `[columns, inner]` if transposed
  void withPackedMatrix(
      int inner, int columns, boolean transposed, A b, Consumer<PackedMatrix<A>> body);

  /// Computes the next state of a network of the given kind.
  void forward(CellKind kind, CellStep<A> step);

  /// Computes the gradients of a step's inputs.
  void backward(CellKind kind, CellStep<A> step, CellGradient<A> gradient);

  /// Divides the rows of a batch into ranges and runs `task` for each of them. Rows are
  /// independent, so `task` may run all time steps of a range without waiting for the other ranges.
  ///
  /// @param work the number of multiplications per row
  void divide(int rows, long work, Rows task);

  /// Computes the rows from `first` (inclusive) to `end` (exclusive).
  @FunctionalInterface
  interface Rows {
    void accept(int first, int end);
  }
}
