// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One pass over the training data.
///
/// @param number number of the epoch, from 1
/// @param steps number of steps since the start of training
/// @param loss training loss of the epoch; each batch's loss is computed before its step
/// @param validation scores on the validation data, or null
/// @param learningRate learning rate of the first parameter group
/// @param samplesPerSecond training throughput
public record Epoch(
    long number,
    long steps,
    double loss,
    @Nullable Scores validation,
    double learningRate,
    double samplesPerSecond) {
  /// Returns the numbers of this epoch other than the loss, by the names of their curves.
  public Map<String, Double> scalars() {
    Map<String, Double> values = new LinkedHashMap<>();
    values.put("learning_rate", learningRate);
    if (validation != null) {
      values.put("validation/loss", validation.loss());
      validation.metrics().forEach((name, value) -> values.put("validation/" + name, value));
    }
    return values;
  }

  /// Formats the epoch as one line, with the validation scores after a `|`.
  @Override
  public String toString() {
    String line =
        String.format(
            Locale.ROOT,
            "epoch %d  loss %.4f  lr %s  %.0f samples/s",
            number,
            loss,
            (float) learningRate,
            samplesPerSecond);
    return validation == null ? line : line + "  | validation " + validation;
  }
}
