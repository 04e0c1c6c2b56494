// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.recurrent;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.LANES;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.SPECIES;

import dev.tensorbus.autograd.kernel.recurrent.CellStep;
import dev.tensorbus.autograd.kernel.shape.Slice;
import dev.tensorbus.autograd.kernel.vector.elementwise.VectorMath;
import dev.tensorbus.autograd.kernel.vector.product.Panels;
import jdk.incubator.vector.FloatVector;

/// Computes a step, row by row. The values of a row are copied to scratch space and padded to whole
/// vectors there, as [VectorMath] requires. Their order is: the sigmoid gates, a tanh gate, the
/// state.
///
/// @param hidden the size of the hidden state of a row
/// @param room scratch space of [#room] values
record VectorCells(int hidden, float[] room) {
  /// Returns the number of values that a row needs: up to three sigmoid gates, one tanh gate, and
  /// the state.
  static int room(int hidden) {
    return Panels.padded(3 * hidden, LANES) + 2 * Panels.padded(hidden, LANES);
  }

  private int tangent() {
    return Panels.padded(3 * hidden, LANES);
  }

  private int state() {
    return tangent() + Panels.padded(hidden, LANES);
  }

  /// Computes a row of [dev.tensorbus.autograd.kernel.recurrent.CellKind#RNN_TANH].
  void tanh(CellStep<float[]> row) {
    take(row.gates(), hidden, 0);
    VectorMath.tanh(room, 0, hidden);
    give(0, hidden, row.gates());
    give(0, hidden, row.after());
  }

  /// Computes a row of [dev.tensorbus.autograd.kernel.recurrent.CellKind#RNN_RELU].
  void relu(CellStep<float[]> row) {
    take(row.gates(), hidden, 0);
    for (int i = 0; i < hidden; i++) {
      room[i] = Math.max(room[i], 0f);
    }
    give(0, hidden, row.gates());
    give(0, hidden, row.after());
  }

  /// Computes a row of [dev.tensorbus.autograd.kernel.recurrent.CellKind#GRU].
  void gru(CellStep<float[]> row) {
    int both = 2 * hidden;
    take(row.gates(), both, 0);
    take(row.recurrent(), both, tangent());
    addSums(both);
    VectorMath.sigmoid(room, 0, both);
    give(0, both, row.gates());
    take(row.gates().from(both), hidden, tangent());
    take(row.recurrent().from(both), hidden, state());
    addReset();
    VectorMath.tanh(room, tangent(), hidden);
    give(tangent(), hidden, row.gates().from(both));
    take(row.before(), hidden, state());
    mix();
    give(state(), hidden, row.after());
  }

  /// Computes a row of [dev.tensorbus.autograd.kernel.recurrent.CellKind#LSTM].
  void lstm(CellStep<float[]> row) {
    int both = 2 * hidden;
    take(row.gates(), both, 0);
    take(row.gates().from(both + hidden), hidden, both);
    take(row.gates().from(both), hidden, tangent());
    take(row.cellBefore(), hidden, state());
    VectorMath.sigmoid(room, 0, 3 * hidden);
    VectorMath.tanh(room, tangent(), hidden);
    give(0, both, row.gates());
    give(both, hidden, row.gates().from(both + hidden));
    give(tangent(), hidden, row.gates().from(both));
    remember();
    give(state(), hidden, row.cellAfter());
    VectorMath.tanh(room, state(), hidden);
    show();
    give(state(), hidden, row.after());
  }

  private void take(Slice<float[]> from, int count, int at) {
    System.arraycopy(from.values(), from.start(), room, at, count);
  }

  private void give(int at, int count, Slice<float[]> to) {
    System.arraycopy(room, at, to.values(), to.start(), count);
  }

  private void addSums(int count) {
    for (int i = 0; i < count; i += LANES) {
      FloatVector.fromArray(SPECIES, room, i)
          .add(FloatVector.fromArray(SPECIES, room, tangent() + i))
          .intoArray(room, i);
    }
  }

  /// Adds the hidden sums, multiplied by a GRU's reset gate, to the input sums of its tanh gate.
  private void addReset() {
    int sum = tangent();
    int recurrent = state();
    for (int i = 0; i < hidden; i += LANES) {
      FloatVector.fromArray(SPECIES, room, i)
          .fma(
              FloatVector.fromArray(SPECIES, room, recurrent + i),
              FloatVector.fromArray(SPECIES, room, sum + i))
          .intoArray(room, sum + i);
    }
  }

  /// Computes a GRU's next state: `fresh + update * (before - fresh)`.
  private void mix() {
    int tangent = tangent();
    int state = state();
    for (int i = 0; i < hidden; i += LANES) {
      FloatVector fresh = FloatVector.fromArray(SPECIES, room, tangent + i);
      FloatVector before = FloatVector.fromArray(SPECIES, room, state + i);
      FloatVector.fromArray(SPECIES, room, hidden + i)
          .fma(before.sub(fresh), fresh)
          .intoArray(room, state + i);
    }
  }

  /// Computes an LSTM's next cell state: `forget * before + input * fresh`.
  private void remember() {
    int tangent = tangent();
    int state = state();
    for (int i = 0; i < hidden; i += LANES) {
      FloatVector input = FloatVector.fromArray(SPECIES, room, i);
      FloatVector kept =
          FloatVector.fromArray(SPECIES, room, hidden + i)
              .mul(FloatVector.fromArray(SPECIES, room, state + i));
      input.fma(FloatVector.fromArray(SPECIES, room, tangent + i), kept).intoArray(room, state + i);
    }
  }

  /// Multiplies the tanh of an LSTM's cell by the output gate.
  private void show() {
    int state = state();
    for (int i = 0; i < hidden; i += LANES) {
      FloatVector.fromArray(SPECIES, room, 2 * hidden + i)
          .mul(FloatVector.fromArray(SPECIES, room, state + i))
          .intoArray(room, state + i);
    }
  }
}
