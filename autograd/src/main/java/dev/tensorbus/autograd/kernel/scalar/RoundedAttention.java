// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.scalar;

import dev.tensorbus.autograd.kernel.attention.AttentionInputs;
import dev.tensorbus.autograd.kernel.attention.AttentionMask;

/// [AttentionRows] of float32, with results that are rounded once.
final class RoundedAttention {
  private RoundedAttention() {}

  static void run(AttentionInputs<float[]> inputs, float[] y, double[] logSums) {
    double[] exact = new double[y.length];
    new AttentionRows(widened(inputs)).run(exact, logSums);
    ScalarKernels.round(exact, y);
  }

  static void runGradient(
      AttentionInputs<float[]> inputs,
      float[] y,
      double[] logSums,
      float[] gradient,
      float[] queryGradient,
      float[] keyGradient,
      float[] valueGradient) {
    double[] query = ScalarKernels.widened(queryGradient);
    double[] key = ScalarKernels.widened(keyGradient);
    double[] value = ScalarKernels.widened(valueGradient);
    new AttentionRows(widened(inputs))
        .runGradient(
            ScalarKernels.widened(y), logSums, ScalarKernels.widened(gradient), query, key, value);
    ScalarKernels.round(query, queryGradient);
    ScalarKernels.round(key, keyGradient);
    ScalarKernels.round(value, valueGradient);
  }

  private static AttentionInputs<double[]> widened(AttentionInputs<float[]> inputs) {
    return new AttentionInputs<>(
        inputs.shape(),
        ScalarKernels.widened(inputs.query()),
        ScalarKernels.widened(inputs.key()),
        ScalarKernels.widened(inputs.value()),
        inputs.mask() == null ? null : widened(inputs.mask()),
        inputs.dropout());
  }

  private static AttentionMask<double[]> widened(AttentionMask<float[]> mask) {
    double[] added = mask.added() == null ? null : ScalarKernels.widened(mask.added());
    return new AttentionMask<>(
        mask.sees(), added, mask.starts(), mask.targetStep(), mask.sourceStep());
  }
}
