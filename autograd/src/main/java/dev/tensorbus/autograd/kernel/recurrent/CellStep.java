// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.recurrent;

import dev.tensorbus.autograd.kernel.shape.Slice;

/// One step of a recurrent network for some rows of the batch.
///
/// @param rows the number of rows, which are independent
/// @param hidden the size of the hidden state of a row
/// @param gates `[rows, gates, hidden]`: before the step, the weighted sums of the input; after it,
///     the values of the gates, which the gradient needs
/// @param recurrent the weighted sums of the previous hidden state. If the cell needs only the
///     [total][CellKind#addsSums] of both sums, this is the same slice as `gates`, which then holds
///     the total.
/// @param before `[rows, hidden]`: the hidden state before the step
/// @param after the hidden state after the step
/// @param cellBefore the cell state before the step; unused, like `cellAfter`, if the kind has no
///     [cell][CellKind#hasCell]
/// @param cellAfter the cell state after the step
/// @param <A> the array type: `float[]` or `double[]`
public record CellStep<A>(
    int rows,
    int hidden,
    Slice<A> gates,
    Slice<A> recurrent,
    Slice<A> before,
    Slice<A> after,
    Slice<A> cellBefore,
    Slice<A> cellAfter) {
  /// Returns the step of one row.
  public CellStep<A> row(CellKind kind, int row) {
    int state = row * hidden;
    int sums = state * kind.gates();
    return new CellStep<>(
        1,
        hidden,
        gates.from(sums),
        recurrent.from(sums),
        before.from(state),
        after.from(state),
        cellBefore.from(state),
        cellAfter.from(state));
  }
}
