// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/// How good a model's predictions are.
///
/// @param loss of all batches, as one batch of all examples would give it
/// @param metrics the other measures by their names, in the order in which the trainer has them
public record Scores(double loss, Map<String, Double> metrics) {
  /// Keeps the order of the map given.
  public Scores {
    metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
  }

  /// The loss, or the metric of this name.
  ///
  /// @throws IllegalArgumentException if there is none
  public double get(String name) {
    Double value = name.equals("loss") ? Double.valueOf(loss) : metrics.get(name);
    if (value == null) {
      throw new IllegalArgumentException(
          "no metric \"%s\"; there are loss and %s, others are added by withMetric"
              .formatted(name, metrics.keySet()));
    }
    return value;
  }

  /// The numbers in one line: `loss 0.0635  accuracy 0.9910`.
  @Override
  public String toString() {
    StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "loss %.4f", loss));
    metrics.forEach(
        (name, value) -> line.append(String.format(Locale.ROOT, "  %s %.4f", name, value)));
    return line.toString();
  }
}
