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

/// A differentiable operation: a record of its settings that defines the forward computation, the
/// derivative and the ONNX nodes.
///
/// Tensors that select values, such as row indices, are inputs, too; their types have no gradients.
///
/// The static method that creates an operation checks the shapes; the operation itself does not.
///
/// Inputs and results keep their gradient edges, and derivatives consist of operations. Gradients
/// can therefore be differentiated after a pass with
/// [dev.tensorbus.autograd.graph.Backward#createGraph].
public interface Operation extends Differentiable {
  /// Computes the result.
  ///
  /// @param inputs one fixed version of each input
  Tensor value(Tensor... inputs);

  /// Returns the derivative of an application, which another engine may have computed. The
  /// derivative saves the values that it needs.
  Derivative derivative(Application application);

  /// Returns this operation's result, expressed as ONNX nodes.
  OnnxValue onnx(OnnxValue.Input... inputs);

  /// Computes the result, with `origin` as its gradient edge, and the derivative. Implement
  /// [FusedForward] if a kernel computes both together.
  ///
  /// @param inputs one fixed version of each input, with the input's gradient edge
  default Result record(Edge origin, Tensor... inputs) {
    Tensor result = Tensor.recorded(value(inputs), origin);
    return new Result(result, derivative(Application.of(result, inputs)));
  }

  /// Returns the name for error messages, which is the name of the method in [Tensor].
  @Override
  default String name() {
    String name = getClass().getSimpleName();
    return Character.toLowerCase(name.charAt(0)) + name.substring(1);
  }

  /// Runs this operation. If recording is on and an input requires a gradient, records the
  /// operation. Otherwise saves no values for the derivative.
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

  /// Runs this operation as part of a derivative. In a pass that creates no graph, only the kernel
  /// runs.
  ///
  /// @param inputs tensors whose values never change: gradients and values saved by a derivative
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

  /// The derivative of one application: a record of the values that it saves from the forward pass.
  @FunctionalInterface
  interface Derivative {
    /// Computes the gradients of the inputs from the gradient of the result. Uses operations, which
    /// are recorded if the pass creates a graph.
    ///
    /// @param needed for each input, whether its gradient is needed
    /// @return one for each input, or null if it is not needed
    @Nullable Tensor[] backward(Tensor gradient, boolean[] needed);

    /// Computes the same gradients as [#backward] with kernels and without recording, for passes
    /// that create no graph. Override this method only if that is faster.
    default @Nullable Tensor[] fusedBackward(Tensor gradient, boolean[] needed) {
      return backward(gradient, needed);
    }

    /// Returns whether the gradients of some inputs can be computed now and the others later; see
    /// [Node#splitBackward].
    default boolean isSeparable() {
      return false;
    }
  }

  /// An operation that is used only by derivatives and therefore has no ONNX node.
  interface Gradient extends Operation {
    @Override
    default OnnxValue onnx(OnnxValue.Input... inputs) {
      throw new IllegalStateException(
          name()
              + ": part of a gradient, which ONNX models do not compute; compute it outside of the"
              + " model");
    }
  }
}
