// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

/// The measure by which epochs are compared: to keep the best, and to stop when nothing becomes
/// better. After the argument `monitor` of PyTorch Lightning's callbacks.
///
/// @param name `loss`, or that of a [metric][dev.tensorbus.optim.training.metric.Metric]
/// @param maximize whether better means greater
/// @param minDelta by how much a better measure differs
public record Measure(String name, boolean maximize, double minDelta) {
  /// @throws IllegalArgumentException if the difference is negative
  public Measure {
    if (!(minDelta >= 0)) {
      throw new IllegalArgumentException(
          "measure: the least difference " + minDelta + " must be 0 or more");
    }
  }

  /// Smaller values are better.
  public static Measure smallest(String name) {
    return new Measure(name, false, 0);
  }

  /// Greater values are better.
  public static Measure greatest(String name) {
    return new Measure(name, true, 0);
  }

  /// The same with this least difference.
  public Measure withMinDelta(double minDelta) {
    return new Measure(name, maximize, minDelta);
  }

  /// The value of an epoch: of its validation, or of its training where there is none.
  ///
  /// @throws IllegalArgumentException if it has no such measure
  double of(Epoch epoch) {
    Scores validation = epoch.validation();
    if (validation != null) {
      return validation.get(name);
    }
    if (!name.equals("loss")) {
      throw new IllegalArgumentException(
          "measure \"%s\" needs validation data; give fit a second loader".formatted(name));
    }
    return epoch.loss();
  }

  /// Whether a value is better than the best so far, which is NaN before the first epoch.
  boolean isBetter(double value, double best) {
    return Double.isNaN(best) || (maximize ? value > best + minDelta : value < best - minDelta);
  }
}
