// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.recurrent;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.recurrent.CellKind;
import java.util.List;
import java.util.random.RandomGenerator;

/// A gated recurrent unit, whose gates control how much of its state is updated. Like
/// `torch.nn.GRU`.
public final class Gru extends RecurrentLayer {
  /// Creates a network with random parameters.
  public Gru(RecurrentOptions options, RandomGenerator random) {
    super(CellKind.GRU, options, random);
  }

  /// Processes sequences `[steps, batch, inputs]`, starting from a zero state.
  ///
  /// @throws ShapeException if the shape is incompatible with this layer
  public HiddenOutput forward(Tensor x) {
    return forward(x, zeros(x));
  }

  /// Processes sequences `[steps, batch, inputs]`, starting from a state `[layers * directions,
  /// batch, hidden]`.
  ///
  /// @throws ShapeException if the shapes are incompatible
  public HiddenOutput forward(Tensor x, Tensor state) {
    List<Tensor> results = run(x, List.of(state));
    return new HiddenOutput(results.get(0), results.get(1));
  }

  /// Processes packed sequences with data `[values, inputs]`, starting from a zero state.
  ///
  /// @throws ShapeException if the shape is incompatible with this layer
  public PackedOutput<Tensor> forward(PackedSequence x) {
    return forward(x, zeros(x));
  }

  /// Processes packed sequences with data `[values, inputs]`, starting from a state `[layers *
  /// directions, batch, hidden]`.
  ///
  /// @throws ShapeException if the shapes are incompatible
  public PackedOutput<Tensor> forward(PackedSequence x, Tensor state) {
    PackedOutput<List<Tensor>> output = run(x, List.of(state));
    return new PackedOutput<>(output.sequence(), output.state().getFirst());
  }
}
