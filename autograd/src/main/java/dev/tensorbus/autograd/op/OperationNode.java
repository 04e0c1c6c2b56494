// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.Edge;
import dev.tensorbus.autograd.graph.Node;
import dev.tensorbus.autograd.trace.Application;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The graph node of one application of an [Operation].
final class OperationNode extends Node {
  private final Operation operation;

  /// Set together with the result, before another thread can see this node.
  private Operation.@Nullable Derivative derivative;

  private OperationNode(Operation operation, List<Edge> inputs) {
    super(1, inputs);
    this.operation = operation;
  }

  /// Creates the node of an application that another engine computed.
  OperationNode(Operation operation, List<Edge> inputs, Application application) {
    this(operation, inputs);
    this.derivative = operation.derivative(new Placed(application, inputs, new Edge(this, 0)));
  }

  /// Creates the node of an application to these inputs.
  ///
  /// @param versions receives the current version of each input, with the input's gradient edge
  static OperationNode of(Operation operation, Tensor[] inputs, Tensor[] versions) {
    Edge[] edges = new Edge[inputs.length];
    for (int i = 0; i < edges.length; i++) {
      edges[i] = inputs[i].gradientEdge();
      versions[i] = placed(inputs[i], edges[i]);
    }
    return new OperationNode(operation, List.of(edges));
  }

  private static Tensor placed(Tensor values, Edge origin) {
    return origin.node() == null ? values.detach() : Tensor.recorded(values, origin);
  }

  /// Runs the operation.
  ///
  /// @return the result, whose gradient edge points to this node
  Tensor forward(Tensor... inputs) {
    Operation.Result found = operation.record(new Edge(this, 0), inputs);
    derivative = found.derivative();
    return found.value();
  }

  private Operation.Derivative derivative() {
    return Objects.requireNonNull(derivative);
  }

  @Override
  protected @Nullable Tensor[] backward(@Nullable Tensor[] gradients, boolean[] needed) {
    Tensor gradient = Objects.requireNonNull(gradients[0]);
    return NoGrad.isOn()
        ? derivative().fusedBackward(gradient, needed)
        : derivative().backward(gradient, needed);
  }

  @Override
  protected @Nullable SplitBackward splitBackward(@Nullable Tensor[] gradients) {
    return derivative().isSeparable() ? needed -> backward(gradients, needed) : null;
  }

  @Override
  protected boolean isUserCode() {
    return false;
  }

  @Override
  protected boolean isOnceDifferentiable() {
    return false;
  }

  /// Returns the operation's name in [Tensor], such as `maxPool2d`.
  @Override
  public String toString() {
    return operation.name();
  }

  /// Values that another engine computed, with their gradient edges.
  private record Placed(Application of, List<Edge> edges, Edge origin) implements Application {
    @Override
    public int inputs() {
      return of.inputs();
    }

    @Override
    public Shape shape(int input) {
      return of.shape(input);
    }

    @Override
    public DType type(int input) {
      return of.type(input);
    }

    @Override
    public Tensor input(int input) {
      return placed(of.input(input), edges.get(input));
    }

    @Override
    public Tensor result() {
      return placed(of.result(), origin);
    }
  }
}
