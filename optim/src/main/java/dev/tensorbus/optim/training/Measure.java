// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

/// The measure by which epochs are compared, to keep the best checkpoint and to stop early. Like
/// the `monitor` argument of PyTorch Lightning's callbacks.
///
/// @param name `loss`, or the name of a [metric][dev.tensorbus.optim.training.metric.Metric]
/// @param maximize whether larger values are better
/// @param minDelta minimum change that counts as an improvement
public record Measure(String name, boolean maximize, double minDelta) {
  /// @throws IllegalArgumentException if `minDelta` is negative
  public Measure {
    if (!(minDelta >= 0)) {
      throw new IllegalArgumentException(
          "measure: the minimum change " + minDelta + " must be 0 or more");
    }
  }

  /// Returns a measure for which smaller values are better.
  public static Measure smallest(String name) {
    return new Measure(name, false, 0);
  }

  /// Returns a measure for which larger values are better.
  public static Measure greatest(String name) {
    return new Measure(name, true, 0);
  }

  /// Returns a copy with another minimum change.
  public Measure withMinDelta(double minDelta) {
    return new Measure(name, maximize, minDelta);
  }

  /// Returns an epoch's value of this measure: from validation or, without validation, the training
  /// loss.
  ///
  /// @throws IllegalArgumentException if the epoch lacks the measure
  double of(Epoch epoch) {
    Scores validation = epoch.validation();
    if (validation != null) {
      return validation.get(name);
    }
    if (!name.equals("loss")) {
      throw new IllegalArgumentException(
          "measure \"%s\" needs validation data; pass a second loader to fit".formatted(name));
    }
    return epoch.loss();
  }

  /// Returns whether a value is better than the best so far, which is NaN before the first epoch.
  boolean isBetter(double value, double best) {
    return Double.isNaN(best) || (maximize ? value > best + minDelta : value < best - minDelta);
  }
}
