// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.recurrent;

import dev.tensorbus.autograd.kernel.shape.Slice;

/// The gradients of one [CellStep]: inputs and outputs of [Recurrence#backward].
///
/// @param output the gradient, from the network's output, of the hidden state after the step
/// @param hidden on entry, the gradient, from the next step, of the hidden state after the step;
///     overwritten with the gradient of the hidden state before the step, excluding the
///     contribution through `recurrent`
/// @param cell on entry, the gradient of the cell state after the step; overwritten with the
///     gradient of the cell state before it
/// @param gates receives the gradient of the weighted sums of the input
/// @param recurrent receives the gradient of the weighted sums of the previous hidden state; the
///     same slice as `gates` if the cell [adds both][CellKind#addsSums]
/// @param <A> the array type: `float[]` or `double[]`
public record CellGradient<A>(
    Slice<A> output, Slice<A> hidden, Slice<A> cell, Slice<A> gates, Slice<A> recurrent) {
  /// Returns the gradients of one row of the batch.
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
