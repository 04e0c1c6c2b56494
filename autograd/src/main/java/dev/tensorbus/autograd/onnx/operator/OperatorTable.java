// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.operator;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Collects operators by name.
final class OperatorTable {
  private final Map<String, Operator> operators = new HashMap<>();

  /// Adds an operator whose tensors are constants.
  void add(String name, Operator.Single function) {
    add(name, Operator.Weights.NONE, call -> List.of(function.apply(call)));
  }

  /// Adds an operator whose tensors are learned.
  void learned(String name, Operator.Single function) {
    add(name, Operator.Weights.LEARNED, call -> List.of(function.apply(call)));
  }

  /// Adds an operator whose tensors are learned if its result is.
  void passing(String name, Operator.Single function) {
    add(name, Operator.Weights.PASSED_ON, call -> List.of(function.apply(call)));
  }

  /// Adds an operator with several results.
  void add(String name, Operator.Weights weights, Operator.Function function) {
    if (operators.put(name, new Operator(weights, function)) != null) {
      throw new IllegalStateException(name + " is in the table twice");
    }
  }

  Map<String, Operator> operators() {
    return Map.copyOf(operators);
  }
}
