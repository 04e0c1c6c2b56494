// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.recurrent;

import dev.tensorbus.autograd.kernel.shape.Slice;

/// The gradients of one [CellStep]: inputs and outputs of [Recurrence#backward].
///
/// @param output the contribution of the network's output to the gradient of the hidden state after
///     the step
/// @param hidden on entry, the contribution of the next step to that gradient; overwritten with the
///     gradient of the hidden state before the step, excluding what flows through `recurrent`
/// @param cell on entry, the gradient of the cell state after the step; overwritten with the
///     gradient of the cell state before the step; unused if the kind has no
///     [cell][CellKind#hasCell]
/// @param gates receives the gradient of the weighted sums of the input
/// @param recurrent receives the gradient of the weighted sums of the previous hidden state; the
///     same slice as `gates` if the cell only needs the [total][CellKind#addsSums] of both sums
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
