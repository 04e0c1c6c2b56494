// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/// The loss and the metrics of a model's predictions.
///
/// @param loss loss of all batches, computed as if they were one batch
/// @param metrics values of the metrics by name, in the trainer's order
public record Scores(double loss, Map<String, Double> metrics) {
  /// Copies the map and preserves its order.
  public Scores {
    metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
  }

  /// Returns the loss, or the metric with this name.
  ///
  /// @throws IllegalArgumentException if there is no such metric
  public double get(String name) {
    Double value = name.equals("loss") ? Double.valueOf(loss) : metrics.get(name);
    if (value == null) {
      throw new IllegalArgumentException(
          "no metric \"%s\"; available: loss and %s; add others with withMetric"
              .formatted(name, metrics.keySet()));
    }
    return value;
  }

  /// Formats the numbers as one line: `loss 0.0635  accuracy 0.9910`.
  @Override
  public String toString() {
    StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "loss %.4f", loss));
    metrics.forEach(
        (name, value) -> line.append(String.format(Locale.ROOT, "  %s %.4f", name, value)));
    return line.toString();
  }
}
