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
  private int batches;
  private TotalLoss loss;

  /// @param none the loss of no batch
  Advance(TotalLoss none) {
    loss = none;
  }

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

  /// The batches that were taken in the epoch that has begun.
  int batches() {
    return batches;
  }

  /// The loss of the epoch that has begun.
  TotalLoss loss() {
    return loss;
  }

  /// Counts a step.
  ///
  /// @param taken batches of the step
  /// @param added their loss
  /// @return the step's number
  long countStep(int taken, TotalLoss added) {
    batches += taken;
    loss = loss.plus(added);
    return ++steps;
  }

  /// Counts an epoch, after which another begins.
  ///
  /// @return whether it is the best so far
  boolean countEpoch(double value, Measure measure) {
    epochs++;
    batches = 0;
    loss = new TotalLoss(loss.isSum(), 0, 0);
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
        (double) epochsSinceBest,
        "batches",
        (double) batches,
        "weight",
        loss.weight(),
        "losses",
        loss.sum());
  }

  @Override
  public void load(Map<String, Double> state) {
    epochs = get(state, "epochs").longValue();
    steps = get(state, "steps").longValue();
    best = get(state, "best");
    epochsSinceBest = get(state, "epochsSinceBest").longValue();
    batches = get(state, "batches").intValue();
    loss = new TotalLoss(loss.isSum(), get(state, "losses"), get(state, "weight"));
  }

  private static Double get(Map<String, Double> state, String name) {
    return Objects.requireNonNull(state.get(name), name);
  }
}
