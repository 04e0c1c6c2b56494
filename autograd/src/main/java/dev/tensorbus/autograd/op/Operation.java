// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.Edge;
import dev.tensorbus.autograd.graph.Node;
import dev.tensorbus.autograd.profiler.OperationEvent;
import dev.tensorbus.autograd.trace.Application;
import dev.tensorbus.autograd.trace.Differentiable;
import dev.tensorbus.autograd.trace.OnnxValue;
import dev.tensorbus.autograd.trace.Trace;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One differentiable operation: a record of its settings, with the forward computation in
/// [#value], beside it the derivative, and its ONNX nodes.
///
/// A tensor that chooses values, such as an index of rows, is an input too, of a type without
/// gradients.
///
/// Operations are given shapes that fit; the static method that makes one checks them first.
///
/// There are no second derivatives: gradients are computed from values and are not recorded.
public interface Operation extends Differentiable {
  /// Computes the result.
  ///
  /// @param inputs cut off from the graph: each is one version of its values for good
  Tensor value(Tensor... inputs);

  /// The derivative of an application, with the values that it keeps. The application may have been
  /// computed elsewhere.
  Derivative derivative(Application application);

  /// This operation as ONNX nodes: the value of its result.
  OnnxValue onnx(OnnxValue.Input... inputs);

  /// Computes the result and the derivative. An operation whose kernel finds both at once overrides
  /// this, see [FusedForward].
  default Result forward(Tensor... inputs) {
    Tensor value = value(inputs);
    return new Result(value, derivative(Application.of(value, inputs)));
  }

  /// The name in messages: that of the method in [Tensor].
  @Override
  default String name() {
    String name = getClass().getSimpleName();
    return Character.toLowerCase(name.charAt(0)) + name.substring(1);
  }

  /// Runs this operation and records it if a gradient of an input is wanted. Otherwise it keeps no
  /// values for the derivative.
  default Tensor apply(Tensor... inputs) {
    Tensor[] versions = new Tensor[inputs.length];
    boolean wanted = false;
    for (int i = 0; i < inputs.length; i++) {
      versions[i] = inputs[i].detach();
      wanted |= inputs[i].requiresGrad();
    }
    OperationEvent event = OperationEvent.begun();
    Result result = forward(versions);
    event.end(this::name, versions, result.value());
    Trace.note(this, List.of(result.value()), inputs);
    if (!wanted || NoGrad.isOn()) {
      return result.value();
    }
    Node node = new OperationNode(this, result.derivative(), edges(inputs));
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
    return new OperationNode(this, derivative(application), inputs);
  }

  @Override
  default List<OnnxValue> onnxResults(OnnxValue.Input... inputs) {
    return List.of(onnx(inputs));
  }

  /// The result of the forward computation, with its derivative.
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

    /// Whether it may be called for some inputs now and for others later, as [Node#splitBackward]
    /// says.
    default boolean isSeparable() {
      return false;
    }
  }
}
