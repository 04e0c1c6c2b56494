// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

import dev.tensorbus.optim.schedule.Resumable;
import java.util.Map;
import java.util.Objects;

/// How far a training is, and how good it has been.
final class Advance implements Resumable {
  private long epochs;
  private long steps;
  private double best = Double.NaN;
  private long epochsSinceBest;

  /// The epochs that are over.
  long epochs() {
    return epochs;
  }

  /// The steps that were taken.
  long steps() {
    return steps;
  }

  /// For how many epochs nothing has become better.
  long epochsSinceBest() {
    return epochsSinceBest;
  }

  /// Counts a step, and gives its number.
  long countStep() {
    return ++steps;
  }

  /// Counts an epoch.
  ///
  /// @return whether it is the best so far
  boolean countEpoch(double value, Measure measure) {
    epochs++;
    boolean isBest = measure.isBetter(value, best);
    best = isBest ? value : best;
    epochsSinceBest = isBest ? 0 : epochsSinceBest + 1;
    return isBest;
  }

  @Override
  public Map<String, Double> state() {
    return Map.of(
        "epochs",
        (double) epochs,
        "steps",
        (double) steps,
        "best",
        best,
        "epochsSinceBest",
        (double) epochsSinceBest);
  }

  @Override
  public void load(Map<String, Double> state) {
    epochs = get(state, "epochs").longValue();
    steps = get(state, "steps").longValue();
    best = get(state, "best");
    epochsSinceBest = get(state, "epochsSinceBest").longValue();
  }

  private static Double get(Map<String, Double> state, String name) {
    return Objects.requireNonNull(state.get(name), name);
  }
}
