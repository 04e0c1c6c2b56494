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
/// Inputs and results keep their place in the graph, and derivatives are made of operations. So
/// gradients have gradients themselves after a pass with
/// [dev.tensorbus.autograd.graph.Backward#createGraph].
public interface Operation extends Differentiable {
  /// Computes the result.
  ///
  /// @param inputs each is one version of its values for good
  Tensor value(Tensor... inputs);

  /// The derivative of an application, with the values that it keeps. The application may have been
  /// computed elsewhere.
  Derivative derivative(Application application);

  /// This operation as ONNX nodes: the value of its result.
  OnnxValue onnx(OnnxValue.Input... inputs);

  /// Computes the result, whose gradient goes to `origin`, and the derivative. An operation whose
  /// kernel finds both at once is a [FusedForward].
  ///
  /// @param inputs each is one version of its values for good, at its place in the graph
  default Result record(Edge origin, Tensor... inputs) {
    Tensor result = Tensor.recorded(value(inputs), origin);
    return new Result(result, derivative(Application.of(result, inputs)));
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
    OperationNode node = isRecorded(inputs) ? OperationNode.of(this, inputs, versions) : null;
    if (node == null) {
      for (int i = 0; i < inputs.length; i++) {
        versions[i] = inputs[i].detach();
      }
    }
    OperationEvent event = OperationEvent.begun();
    Tensor result = node == null ? value(versions) : node.forward(versions);
    event.end(this::name, versions, result);
    Trace.note(this, List.of(result), inputs);
    return result;
  }

  /// Runs this operation as a part of a derivative. A pass that creates no graph computes only the
  /// value, so that it costs what the kernel costs.
  ///
  /// @param inputs whose values never change: gradients, and what a derivative has kept
  default Tensor inBackward(Tensor... inputs) {
    return NoGrad.isOn() ? value(inputs) : apply(inputs);
  }

  private static boolean isRecorded(Tensor... inputs) {
    for (Tensor input : inputs) {
      if (input.requiresGrad()) {
        return !NoGrad.isOn();
      }
    }
    return false;
  }

  @Override
  default Node node(Application application, List<Edge> inputs) {
    return new OperationNode(this, inputs, application);
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
    /// Computes the inputs' gradients from the result's, by operations that are recorded where a
    /// pass creates a graph.
    ///
    /// @param needed for each input whether its gradient is wanted
    /// @return one for each input; null where it is not needed
    @Nullable Tensor[] backward(Tensor gradient, boolean[] needed);

    /// The same by kernels, which nothing records, for passes that create no graph. Only where it
    /// is faster than [#backward], which is its specification.
    default @Nullable Tensor[] fusedBackward(Tensor gradient, boolean[] needed) {
      return backward(gradient, needed);
    }

    /// Whether it may be called for some inputs now and for others later, as [Node#splitBackward]
    /// says.
    default boolean isSeparable() {
      return false;
    }
  }

  /// An operation that derivatives are made of. No layer consists of it, so it has no ONNX node.
  interface Gradient extends Operation {
    @Override
    default OnnxValue onnx(OnnxValue.Input... inputs) {
      throw new IllegalStateException(
          name() + ": part of a gradient, which no ONNX model computes; take gradients elsewhere");
    }
  }
}
