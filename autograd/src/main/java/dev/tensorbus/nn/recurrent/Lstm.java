// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.recurrent;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.recurrent.CellKind;
import java.util.List;
import java.util.random.RandomGenerator;

/// A long short-term memory, whose gates control what its cells store, forget and output. Like
/// `torch.nn.LSTM`.
public final class Lstm extends RecurrentLayer {
  /// Creates a one-directional network with random parameters.
  public Lstm(int inputs, int hidden, int layers, RandomGenerator random) {
    this(RecurrentOptions.of(inputs, hidden).withLayers(layers), random);
  }

  /// Creates a network with random parameters.
  public Lstm(RecurrentOptions options, RandomGenerator random) {
    super(CellKind.LSTM, options, random);
  }

  /// The state between two sequences: two tensors `[layers * directions, batch, hidden]`.
  public record State(Tensor hidden, Tensor cell) {
    /// Returns the same values, detached from the graph.
    public State detach() {
      return new State(hidden.detach(), cell.detach());
    }
  }

  /// The output for a sequence.
  ///
  /// @param sequence the last layer's hidden states, `[steps, batch, directions * hidden]`
  /// @param state the state after the last step
  public record Output(Tensor sequence, State state) {}

  /// Processes sequences `[steps, batch, inputs]`, starting from a zero state.
  ///
  /// @throws ShapeException if the shape is incompatible with this layer
  public Output forward(Tensor x) {
    return forward(x, new State(zeros(x), zeros(x)));
  }

  /// Processes sequences `[steps, batch, inputs]`, starting from the given state.
  ///
  /// @throws ShapeException if the shapes are incompatible
  public Output forward(Tensor x, State state) {
    List<Tensor> results = run(x, List.of(state.hidden(), state.cell()));
    return new Output(results.get(0), new State(results.get(1), results.get(2)));
  }

  /// Processes packed sequences with data `[values, inputs]`, starting from a zero state.
  ///
  /// @throws ShapeException if the shape is incompatible with this layer
  public PackedOutput<State> forward(PackedSequence x) {
    return forward(x, new State(zeros(x), zeros(x)));
  }

  /// Processes packed sequences with data `[values, inputs]`, starting from the given state.
  ///
  /// @throws ShapeException if the shapes are incompatible
  public PackedOutput<State> forward(PackedSequence x, State state) {
    PackedOutput<List<Tensor>> output = run(x, List.of(state.hidden(), state.cell()));
    List<Tensor> parts = output.state();
    return new PackedOutput<>(output.sequence(), new State(parts.get(0), parts.get(1)));
  }
}
