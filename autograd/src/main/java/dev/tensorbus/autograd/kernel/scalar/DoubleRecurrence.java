// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.scalar;

import dev.tensorbus.autograd.kernel.recurrent.CellGradient;
import dev.tensorbus.autograd.kernel.recurrent.CellKind;
import dev.tensorbus.autograd.kernel.recurrent.CellStep;
import dev.tensorbus.autograd.kernel.recurrent.PackedMatrix;
import dev.tensorbus.autograd.kernel.recurrent.Recurrence;
import dev.tensorbus.autograd.kernel.shape.Slice;
import java.util.function.Consumer;

/// The reference implementation of the kernels for recurrent networks, as plain loops on the
/// caller's thread. Float64 tensors use it as is.
final class DoubleRecurrence implements Recurrence<double[]> {
  @Override
  public void withPackedMatrix(
      int inner,
      int columns,
      boolean transposed,
      double[] b,
      Consumer<PackedMatrix<double[]>> body) {
    body.accept(packedMatrix(inner, columns, transposed, b));
  }

  private static PackedMatrix<double[]> packedMatrix(
      int inner, int columns, boolean transposed, double[] b) {
    return (rows, a, c) -> {
      for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
          double sum = 0;
          for (int p = 0; p < inner; p++) {
            double right = transposed ? b[j * inner + p] : b[p * columns + j];
            sum += a.values()[a.start() + i * inner + p] * right;
          }
          c.values()[c.start() + i * columns + j] += sum;
        }
      }
    };
  }

  @Override
  public void divide(int rows, long work, Rows task) {
    task.accept(0, rows);
  }

  @Override
  public void forward(CellKind kind, CellStep<double[]> step) {
    int hidden = step.hidden();
    for (int row = 0; row < step.rows(); row++) {
      for (int j = 0; j < hidden; j++) {
        int gate = step.gates().start() + row * kind.gates() * hidden + j;
        int at = row * hidden + j;
        switch (kind) {
          case RNN_TANH, RNN_RELU -> elman(kind, step, gate, at);
          case GRU -> gru(step, gate, at);
          case LSTM -> lstm(step, gate, at);
        }
      }
    }
  }

  private static void elman(CellKind kind, CellStep<double[]> step, int gate, int at) {
    double sum = step.gates().values()[gate];
    double value = kind == CellKind.RNN_TANH ? Math.tanh(sum) : Math.max(sum, 0);
    step.gates().values()[gate] = value;
    put(step.after(), at, value);
  }

  private static void gru(CellStep<double[]> step, int gate, int at) {
    int size = step.hidden();
    double[] gates = step.gates().values();
    double[] sums = step.recurrent().values();
    int sum = gate - step.gates().start() + step.recurrent().start();
    double reset = sigmoid(gates[gate] + sums[sum]);
    double update = sigmoid(gates[gate + size] + sums[sum + size]);
    double fresh = Math.tanh(gates[gate + 2 * size] + reset * sums[sum + 2 * size]);
    gates[gate] = reset;
    gates[gate + size] = update;
    gates[gate + 2 * size] = fresh;
    put(step.after(), at, fresh + update * (get(step.before(), at) - fresh));
  }

  private static void lstm(CellStep<double[]> step, int gate, int at) {
    int size = step.hidden();
    double[] gates = step.gates().values();
    double input = sigmoid(gates[gate]);
    double forget = sigmoid(gates[gate + size]);
    double fresh = Math.tanh(gates[gate + 2 * size]);
    double output = sigmoid(gates[gate + 3 * size]);
    gates[gate] = input;
    gates[gate + size] = forget;
    gates[gate + 2 * size] = fresh;
    gates[gate + 3 * size] = output;
    double cell = forget * get(step.cellBefore(), at) + input * fresh;
    put(step.cellAfter(), at, cell);
    put(step.after(), at, output * Math.tanh(cell));
  }

  @Override
  public void backward(CellKind kind, CellStep<double[]> step, CellGradient<double[]> gradient) {
    int hidden = step.hidden();
    for (int row = 0; row < step.rows(); row++) {
      for (int j = 0; j < hidden; j++) {
        int gate = row * kind.gates() * hidden + j;
        int at = row * hidden + j;
        switch (kind) {
          case RNN_TANH, RNN_RELU -> elmanGradient(kind, step, gradient, gate, at);
          case GRU -> gruGradient(step, gradient, gate, at);
          case LSTM -> lstmGradient(step, gradient, gate, at);
        }
      }
    }
  }

  private static void elmanGradient(
      CellKind kind, CellStep<double[]> step, CellGradient<double[]> gradient, int gate, int at) {
    double value = get(step.gates(), gate);
    double slope = kind == CellKind.RNN_TANH ? 1 - value * value : value > 0 ? 1 : 0;
    put(gradient.gates(), gate, hidden(gradient, at) * slope);
    put(gradient.hidden(), at, 0);
  }

  private static void gruGradient(
      CellStep<double[]> step, CellGradient<double[]> gradient, int gate, int at) {
    int size = step.hidden();
    double reset = get(step.gates(), gate);
    double update = get(step.gates(), gate + size);
    double fresh = get(step.gates(), gate + 2 * size);
    double hidden = hidden(gradient, at);
    double freshSum = hidden * (1 - update) * (1 - fresh * fresh);
    double resetSum = freshSum * get(step.recurrent(), gate + 2 * size) * reset * (1 - reset);
    double updateSum = hidden * (get(step.before(), at) - fresh) * update * (1 - update);
    put(gradient.gates(), gate, resetSum);
    put(gradient.gates(), gate + size, updateSum);
    put(gradient.gates(), gate + 2 * size, freshSum);
    put(gradient.recurrent(), gate, resetSum);
    put(gradient.recurrent(), gate + size, updateSum);
    put(gradient.recurrent(), gate + 2 * size, freshSum * reset);
    put(gradient.hidden(), at, hidden * update);
  }

  private static void lstmGradient(
      CellStep<double[]> step, CellGradient<double[]> gradient, int gate, int at) {
    int size = step.hidden();
    double input = get(step.gates(), gate);
    double forget = get(step.gates(), gate + size);
    double fresh = get(step.gates(), gate + 2 * size);
    double output = get(step.gates(), gate + 3 * size);
    double tanh = Math.tanh(get(step.cellAfter(), at));
    double hidden = hidden(gradient, at);
    double cell = get(gradient.cell(), at) + hidden * output * (1 - tanh * tanh);
    put(gradient.gates(), gate, cell * fresh * input * (1 - input));
    put(gradient.gates(), gate + size, cell * get(step.cellBefore(), at) * forget * (1 - forget));
    put(gradient.gates(), gate + 2 * size, cell * input * (1 - fresh * fresh));
    put(gradient.gates(), gate + 3 * size, hidden * tanh * output * (1 - output));
    put(gradient.hidden(), at, 0);
    put(gradient.cell(), at, cell * forget);
  }

  private static double hidden(CellGradient<double[]> gradient, int at) {
    return get(gradient.output(), at) + get(gradient.hidden(), at);
  }

  private static double get(Slice<double[]> slice, int at) {
    return slice.values()[slice.start() + at];
  }

  private static void put(Slice<double[]> slice, int at, double value) {
    slice.values()[slice.start() + at] = value;
  }

  private static double sigmoid(double x) {
    return 1 / (1 + Math.exp(-x));
  }
}
