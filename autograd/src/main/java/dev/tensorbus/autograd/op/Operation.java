// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import dev.tensorbus.autograd.Edge;
import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Node;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.onnx.graph.Nodes;
import dev.tensorbus.autograd.trace.Application;
import dev.tensorbus.autograd.trace.Differentiable;
import dev.tensorbus.autograd.trace.Trace;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One differentiable operation: a record of its settings, with the forward computation in
/// [#value], beside it the derivative, and how ONNX says it.
///
/// What is chosen by values, such as rows by an index, is an input too, of a type without
/// gradients.
///
/// Operations are given shapes that fit; whoever makes one checks them first.
///
/// There are no second derivatives: gradients are computed from values and are not recorded.
interface Operation extends Differentiable {
  /// Computes the result.
  ///
  /// @param inputs cut off from the graph: each is one version of its values for good
  Tensor value(Tensor... inputs);

  /// What the backward pass keeps of an application, wherever that was computed.
  Derivative derivative(Application application);

  /// Says this operation in ONNX's operators and gives the name of the result.
  String onnx(Nodes nodes);

  /// Computes the result and says what the derivative needs. An operation whose kernel finds both
  /// at once does so here.
  default Result forward(Tensor... inputs) {
    Tensor value = value(inputs);
    return new Result(value, derivative(Application.of(value, inputs)));
  }

  /// The name in messages: what [Tensor] calls it.
  @Override
  default String name() {
    String name = getClass().getSimpleName();
    return Character.toLowerCase(name.charAt(0)) + name.substring(1);
  }

  /// Runs this operation and records it if a gradient of an input is wanted; otherwise nothing of
  /// what the derivative needs is kept.
  default Tensor apply(Tensor... inputs) {
    Tensor[] versions = new Tensor[inputs.length];
    boolean wanted = false;
    for (int i = 0; i < inputs.length; i++) {
      versions[i] = inputs[i].detach();
      wanted |= inputs[i].requiresGrad();
    }
    Result result = forward(versions);
    Trace.noted(this, result.value(), inputs);
    if (!wanted || NoGrad.isOn()) {
      return result.value();
    }
    Node node = new Recorded(this, result.derivative(), edges(inputs));
    return Tensor.recorded(result.value(), new Edge(node, 0));
  }

  private static List<Edge> edges(Tensor... inputs) {
    Edge[] edges = new Edge[inputs.length];
    for (int i = 0; i < edges.length; i++) {
      edges[i] = inputs[i].gradientEdge();
    }
    return Arrays.asList(edges);
  }

  @Override
  default Node node(Application application, List<Edge> inputs) {
    return new Recorded(this, derivative(application), inputs);
  }

  @Override
  default List<String> onnxResults(Nodes nodes) {
    return List.of(onnx(nodes));
  }

  /// What the forward computation gives.
  record Result(Tensor value, Derivative derivative) {}

  /// The derivative of one application: a record of the values that it keeps from the forward
  /// pass.
  @FunctionalInterface
  interface Derivative {
    /// Computes the inputs' gradients from the result's.
    ///
    /// @param needed for each input whether its gradient is wanted
    /// @return one for each input; null where it is not needed
    @Nullable Tensor[] backward(Tensor gradient, boolean[] needed);

    /// Whether it may be called for some inputs now and for others later, as [Node#inParts] says.
    default boolean isSeparable() {
      return false;
    }
  }
}
