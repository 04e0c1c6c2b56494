// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.recurrent;

import dev.tensorbus.autograd.kernel.shape.Slice;

/// The gradients of a [CellStep].
///
/// @param output of the hidden values after the step, from outside the network
/// @param hidden of the hidden values after the step, from the next step; afterwards of those
///     before this step, without the part that flows through the sums
/// @param cell of the cell after the step, afterwards of the cell before it
/// @param gates receives the gradient of the sums over the input
/// @param recurrent receives the gradient of the sums over the previous hidden state; equals
///     `gates` where these share an array
/// @param <A> the array type: `float[]` or `double[]`
public record CellGradient<A>(
    Slice<A> output, Slice<A> hidden, Slice<A> cell, Slice<A> gates, Slice<A> recurrent) {
  /// Returns the gradients of one row.
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
