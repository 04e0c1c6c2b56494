// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.forward;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.Edge;
import dev.tensorbus.autograd.trace.Application;
import dev.tensorbus.autograd.trace.Differentiable;
import dev.tensorbus.autograd.trace.Step;
import dev.tensorbus.autograd.trace.Value;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/// One application of an operation in a trace. Its values are looked up only when a derivative
/// requests them.
record TracedApplication(Step step, Function<Value, Tensor> values) implements Application {
  /// Returns the values that the derivatives of these steps need. To find them, creates the graph
  /// nodes with zeros and records which values are requested.
  static Set<Value> asked(List<Step> steps) {
    Set<Value> asked = new LinkedHashSet<>();
    Function<Value, Tensor> zeros =
        value -> {
          asked.add(value);
          return Tensor.full(value.shape(), value.type(), 0);
        };
    for (Step step : steps) {
      if (step.isRecorded() && step.operation() instanceof Differentiable operation) {
        List<Edge> nowhere = Collections.nCopies(step.inputs().size(), Edge.NONE);
        operation.node(new TracedApplication(step, zeros), nowhere);
      }
    }
    return asked;
  }

  @Override
  public int inputs() {
    return step.inputs().size();
  }

  @Override
  public Shape shape(int input) {
    return step.inputs().get(input).shape();
  }

  @Override
  public DType type(int input) {
    return step.inputs().get(input).type();
  }

  @Override
  public Tensor input(int input) {
    return values.apply(step.inputs().get(input));
  }

  @Override
  public Tensor result() {
    return values.apply(step.results().getFirst());
  }
}
