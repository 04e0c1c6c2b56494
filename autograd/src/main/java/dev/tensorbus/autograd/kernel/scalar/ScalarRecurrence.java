// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.scalar;

import dev.tensorbus.autograd.kernel.recurrent.CellGradient;
import dev.tensorbus.autograd.kernel.recurrent.CellKind;
import dev.tensorbus.autograd.kernel.recurrent.CellStep;
import dev.tensorbus.autograd.kernel.recurrent.PackedMatrix;
import dev.tensorbus.autograd.kernel.recurrent.Recurrence;
import dev.tensorbus.autograd.kernel.shape.Slice;
import java.util.function.Consumer;

/// The reference implementation of the float32 kernels for recurrent networks, which rounds the
/// results of [DoubleRecurrence].
final class ScalarRecurrence implements Recurrence<float[]> {
  private static final DoubleRecurrence EXACT = new DoubleRecurrence();

  @Override
  public void withPackedMatrix(
      int inner, int columns, boolean transposed, float[] b, Consumer<PackedMatrix<float[]>> body) {
    double[] widened = widened(new Slice<>(b, 0), b.length).values();
    EXACT.withPackedMatrix(
        inner,
        columns,
        transposed,
        widened,
        exact ->
            body.accept(
                (rows, a, c) -> {
                  Slice<double[]> sums = widened(c, rows * columns);
                  exact.multiplyAdd(rows, widened(a, rows * inner), sums);
                  round(sums, c);
                }));
  }

  @Override
  public void divide(int rows, long work, Rows task) {
    EXACT.divide(rows, work, task);
  }

  @Override
  public void forward(CellKind kind, CellStep<float[]> step) {
    CellStep<double[]> exact = widened(kind, step);
    EXACT.forward(kind, exact);
    round(exact.gates(), step.gates());
    round(exact.after(), step.after());
    if (kind.hasCell()) {
      round(exact.cellAfter(), step.cellAfter());
    }
  }

  @Override
  public void backward(CellKind kind, CellStep<float[]> step, CellGradient<float[]> gradient) {
    int hidden = step.rows() * step.hidden();
    int sums = hidden * kind.gates();
    Slice<double[]> gates = zeros(sums);
    CellGradient<double[]> exact =
        new CellGradient<>(
            widened(gradient.output(), hidden),
            widened(gradient.hidden(), hidden),
            kind.hasCell() ? widened(gradient.cell(), hidden) : gates,
            gates,
            kind.addsSums() ? gates : zeros(sums));
    EXACT.backward(kind, widened(kind, step), exact);
    round(exact.hidden(), gradient.hidden());
    round(exact.gates(), gradient.gates());
    if (kind.hasCell()) {
      round(exact.cell(), gradient.cell());
    }
    if (!kind.addsSums()) {
      round(exact.recurrent(), gradient.recurrent());
    }
  }

  private static CellStep<double[]> widened(CellKind kind, CellStep<float[]> step) {
    int hidden = step.rows() * step.hidden();
    int sums = hidden * kind.gates();
    Slice<double[]> gates = widened(step.gates(), sums);
    return new CellStep<>(
        step.rows(),
        step.hidden(),
        gates,
        kind.addsSums() ? gates : widened(step.recurrent(), sums),
        widened(step.before(), hidden),
        widened(step.after(), hidden),
        kind.hasCell() ? widened(step.cellBefore(), hidden) : gates,
        kind.hasCell() ? widened(step.cellAfter(), hidden) : gates);
  }

  private static Slice<double[]> zeros(int length) {
    return new Slice<>(new double[length], 0);
  }

  private static Slice<double[]> widened(Slice<float[]> slice, int length) {
    Slice<double[]> widened = zeros(length);
    for (int i = 0; i < length; i++) {
      widened.values()[i] = slice.values()[slice.start() + i];
    }
    return widened;
  }

  private static void round(Slice<double[]> exact, Slice<float[]> slice) {
    for (int i = 0; i < exact.values().length; i++) {
      slice.values()[slice.start() + i] = (float) exact.values()[i];
    }
  }
}
