// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.recurrent;

import dev.tensorbus.autograd.kernel.shape.Slice;

/// Where the gradients of a [CellStep] lie.
///
/// @param output of the hidden values after the step, from outside the network
/// @param hidden of the same, from the next step; then of those before this step as far as they
///     do not go by way of the sums
/// @param cell of the cell after the step, then of that before it
/// @param gates takes that of the sums over the input
/// @param recurrent takes that of the sums over the previous hidden state; the same as `gates`
///     where these share an array
/// @param <A> the arrays: `float[]` or `double[]`
public record CellGradient<A>(
    Slice<A> output, Slice<A> hidden, Slice<A> cell, Slice<A> gates, Slice<A> recurrent) {
  /// The gradients of one row.
  public CellGradient<A> row(CellKind kind, int size, int row) {
    int state = row * size;
    int sums = state * kind.gates();
    return new CellGradient<>(
        output.from(state),
        hidden.from(state),
        cell.from(state),
        gates.from(sums),
        recurrent.from(sums));
  }
}
