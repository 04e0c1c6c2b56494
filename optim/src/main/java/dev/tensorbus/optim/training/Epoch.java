// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// One pass over the training data.
///
/// @param number from 1 on
/// @param steps how many steps the training has taken since its begin
/// @param loss of the whole pass, each example before its step
/// @param validation how good the model is afterwards on other data, if there are any
/// @param learningRate of the first parameters, in this epoch
/// @param samplesPerSecond how many examples a second it learned from
public record Epoch(
    long number,
    long steps,
    double loss,
    @Nullable Scores validation,
    double learningRate,
    double samplesPerSecond) {
  /// The numbers in one line, those of validation after a bar.
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
