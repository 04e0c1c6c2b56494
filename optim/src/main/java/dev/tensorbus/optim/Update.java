// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.KernelThreads;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.profiler.RecordFunction;
import dev.tensorbus.optim.update.BlockwiseUpdate;
import dev.tensorbus.optim.update.FiniteCheck;
import dev.tensorbus.optim.update.GradientChange;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The update of one parameter in a step.
record Update(
    ParameterState state, OptimizerSpec spec, List<Tensor> gradients, GradientChange change) {
  /// Runs all updates, in parallel if several are large, since large updates are bound by memory
  /// latency.
  static void runAll(List<Update> updates) {
    try (RecordFunction _ = RecordFunction.begin("Optimizer.step")) {
      forEach(updates, number -> updates.get(number).run());
    }
  }

  /// Returns the first update with a non-finite gradient, or null.
  static @Nullable Update firstNonFinite(List<Update> updates) {
    boolean[] isFinite = new boolean[updates.size()];
    forEach(updates, number -> isFinite[number] = updates.get(number).isFinite());
    for (int number = 0; number < isFinite.length; number++) {
      if (!isFinite[number]) {
        return updates.get(number);
      }
    }
    return null;
  }

  private static void forEach(List<Update> updates, IntConsumer task) {
    boolean areSeveralLarge = updates.stream().filter(Update::isLarge).count() > 1;
    if (areSeveralLarge) {
      KernelThreads.run(updates.size(), task);
    } else {
      IntStream.range(0, updates.size()).forEach(task);
    }
  }

  private boolean isLarge() {
    return gradients.getFirst().shape().elements() >= BlockwiseUpdate.LARGE;
  }

  private boolean isFinite() {
    return gradients.stream().allMatch(FiniteCheck::isFinite);
  }

  /// Returns the parameter.
  Tensor parameter() {
    return state.parameter();
  }

  /// Describes the first non-finite value. There must be one.
  ///
  /// @param place index of the parameter in its optimizer
  String nonFinite(int place) {
    Tensor parameter = parameter();
    String name = parameter.name() == null ? "parameter " + place : parameter.name();
    for (Tensor gradient : gradients) {
      double[] values = gradient.to(DType.FLOAT64).doubles();
      for (int i = 0; i < values.length; i++) {
        if (!Double.isFinite(values[i])) {
          return "the gradient of %s %s is %s at index %d"
              .formatted(name, OptimizerState.kind(parameter), values[i], i);
        }
      }
    }
    throw new IllegalStateException("all gradients of " + name + " are finite");
  }

  private void run() {
    state.step(spec, gradients, change);
  }
}
