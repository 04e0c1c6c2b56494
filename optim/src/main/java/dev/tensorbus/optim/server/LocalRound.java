// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.Optimizer;
import dev.tensorbus.optim.OptimizerSpec;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/// The [LocalSteps] of a trainer between two pushes. The state of its optimizer is kept over all
/// rounds.
final class LocalRound {
  private final LocalSteps settings;
  private final Map<String, Tensor> parameters;
  private final Optimizer optimizer;

  /// The values at the beginning of the round.
  private final Map<String, Tensor> start = new HashMap<>();

  private int steps;
  private int examples;

  LocalRound(LocalSteps settings, Map<String, Tensor> parameters, OptimizerSpec optimizer) {
    this.settings = settings;
    this.parameters = parameters;
    this.optimizer = optimizer.over(parameters.values());
    begin();
  }

  /// Begins a round with the current values.
  void begin() {
    examples = 0;
    parameters.forEach((name, parameter) -> start.put(name, parameter.detach()));
  }

  /// Returns whether steps of this round have been taken, but not pushed.
  boolean isRunning() {
    return steps > 0;
  }

  /// Takes a step by the gradients of the parameters.
  ///
  /// @param optimizer the current settings of the optimizer
  /// @return whether it was the last step of the round
  boolean step(OptimizerSpec optimizer, int count) {
    this.optimizer.groups().getFirst().set(optimizer);
    this.optimizer.step();
    examples += count;
    return ++steps == settings.steps();
  }

  /// Ends the round, and returns the differences between the values at its beginning and now.
  Map<String, Tensor> takeDifferences() {
    steps = 0;
    Map<String, Tensor> differences = new LinkedHashMap<>();
    parameters.forEach(
        (name, parameter) -> {
          Tensor before = Objects.requireNonNull(start.get(name), name);
          differences.put(name, before.sub(parameter.detach()));
        });
    return differences;
  }

  /// Returns the optimizer of the local steps.
  Optimizer optimizer() {
    return optimizer;
  }

  /// Returns the number of examples in the steps of this round.
  int examples() {
    return examples;
  }
}
