// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.update.GradientChange;
import java.util.List;
import java.util.stream.Stream;

/// What a step does to one parameter.
record Update(
    ParameterState state, OptimizerSpec spec, List<Tensor> gradients, GradientChange change) {
  /// So many values, 1 MiB of float32, take longer to update than another thread to begin.
  private static final int LARGE = 1 << 18;

  /// Runs them all, side by side if several are large: they wait for memory most of the time.
  static void runAll(List<Update> updates) {
    boolean areSeveralLarge = updates.stream().filter(Update::isLarge).count() > 1;
    Stream<Update> stream = areSeveralLarge ? updates.parallelStream() : updates.stream();
    stream.forEach(Update::run);
  }

  private boolean isLarge() {
    return gradients.getFirst().shape().elements() >= LARGE;
  }

  private void run() {
    state.step(spec, gradients, change);
  }
}
