// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.scalar;

import dev.tensorbus.autograd.kernel.attention.AttentionInputs;
import dev.tensorbus.autograd.kernel.attention.AttentionMask;

/// [AttentionRows] for float32: computes in float64 and rounds once.
final class RoundedAttention {
  private RoundedAttention() {}

  static void run(AttentionInputs<float[]> inputs, float[] y, double[] logSums) {
    double[] exact = new double[y.length];
    new AttentionRows(widened(inputs)).run(exact, logSums);
    Rounding.round(exact, y);
  }

  static void runGradient(
      AttentionInputs<float[]> inputs,
      float[] y,
      double[] logSums,
      float[] gradient,
      float[] queryGradient,
      float[] keyGradient,
      float[] valueGradient) {
    double[] query = Rounding.widened(queryGradient);
    double[] key = Rounding.widened(keyGradient);
    double[] value = Rounding.widened(valueGradient);
    new AttentionRows(widened(inputs))
        .runGradient(Rounding.widened(y), logSums, Rounding.widened(gradient), query, key, value);
    Rounding.round(query, queryGradient);
    Rounding.round(key, keyGradient);
    Rounding.round(value, valueGradient);
  }

  private static AttentionInputs<double[]> widened(AttentionInputs<float[]> inputs) {
    return new AttentionInputs<>(
        inputs.shape(),
        Rounding.widened(inputs.query()),
        Rounding.widened(inputs.key()),
        Rounding.widened(inputs.value()),
        inputs.mask() == null ? null : widened(inputs.mask()),
        inputs.dropout());
  }

  private static AttentionMask<double[]> widened(AttentionMask<float[]> mask) {
    double[] added = mask.added() == null ? null : Rounding.widened(mask.added());
    return new AttentionMask<>(
        mask.sees(), added, mask.starts(), mask.targetStep(), mask.sourceStep());
  }
}
