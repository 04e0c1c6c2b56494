// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.recurrent;

import dev.tensorbus.autograd.kernel.shape.Slice;

/// One step of a recurrent network for some rows of the batch.
///
/// @param rows the number of rows, which are independent
/// @param hidden the number of values of a row's hidden state
/// @param gates `[rows, gates, hidden]`: before the step the sums over the input, after it the
///     gates' values, which the gradient needs
/// @param recurrent the sums over the previous hidden state; equals `gates`, which then hold both,
///     where a cell [adds them][CellKind#addsSums]
/// @param before `[rows, hidden]` hidden values before the step
/// @param after hidden values after the step
/// @param cellBefore the cell before the step; like `cellAfter` unused if there is none
/// @param cellAfter the cell after the step
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
