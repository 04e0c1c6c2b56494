// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

import dev.tensorbus.optim.schedule.Resumable;
import java.util.Map;
import java.util.Objects;

/// The progress of a training run, and the best measure so far.
final class Advance implements Resumable {
  private long epochs;
  private long steps;
  private double best = Double.NaN;
  private long epochsSinceBest;
  private int batches;
  private TotalLoss loss;

  /// @param none the loss before the first batch
  Advance(TotalLoss none) {
    loss = none;
  }

  /// Returns the number of finished epochs.
  long epochs() {
    return epochs;
  }

  /// Returns the number of steps so far.
  long steps() {
    return steps;
  }

  /// Returns the number of epochs since the best one.
  long epochsSinceBest() {
    return epochsSinceBest;
  }

  /// Returns the number of batches processed so far in the current epoch.
  int batches() {
    return batches;
  }

  /// Returns the loss of the current epoch so far.
  TotalLoss loss() {
    return loss;
  }

  /// Counts a step.
  ///
  /// @param taken number of batches in the step
  /// @param added loss of these batches
  /// @return the step's number
  long countStep(int taken, TotalLoss added) {
    batches += taken;
    loss = loss.plus(added);
    return ++steps;
  }

  /// Counts a finished epoch and starts the next one.
  ///
  /// @return whether the finished epoch is the best so far
  boolean countEpoch(double value, Measure measure) {
    epochs++;
    batches = 0;
    loss = new TotalLoss(loss.isSum(), 0, 0);
    boolean isBest = measure.isBetter(value, best);
    best = isBest ? value : best;
    epochsSinceBest = isBest ? 0 : epochsSinceBest + 1;
    return isBest;
  }

  /// Counts a finished epoch whose measure is unknown, since this trainer took no part in its end.
  void skipEpoch() {
    epochs++;
    batches = 0;
    loss = new TotalLoss(loss.isSum(), 0, 0);
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
