// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.scalar;

import dev.tensorbus.autograd.kernel.attention.AttentionInputs;
import dev.tensorbus.autograd.kernel.attention.AttentionMask;
import dev.tensorbus.autograd.kernel.attention.AttentionShape;
import java.util.Arrays;
import java.util.Objects;

/// The reference implementation of [dev.tensorbus.autograd.kernel.Arithmetic#attention] and its
/// gradients, target by target.
record AttentionRows(AttentionInputs<double[]> of, AttentionShape shape, double[] weights) {
  AttentionRows(AttentionInputs<double[]> of) {
    this(of, of.shape(), new double[of.shape().sources()]);
  }

  void run(double[] y, double[] logSums) {
    for (int item = 0; item < shape.items(); item++) {
      for (int target = 0; target < shape.targets(); target++) {
        scores(item, target);
        double logSum = logSum();
        logSums[item * shape.targets() + target] = logSum;
        int to = shape.result(item, target);
        Arrays.fill(y, to, to + shape.valueSize(), 0);
        for (int source = 0; source < shape.sources(); source++) {
          double weight = Math.exp(weights[source] - logSum) * factor(item, target, source);
          addScaled(weight, of.value(), shape.value(item, source), shape.valueSize(), y, to);
        }
      }
    }
  }

  void runGradient(
      double[] y,
      double[] logSums,
      double[] gradient,
      double[] queryGradient,
      double[] keyGradient,
      double[] valueGradient) {
    for (int item = 0; item < shape.items(); item++) {
      for (int target = 0; target < shape.targets(); target++) {
        scores(item, target);
        double logSum = logSums[item * shape.targets() + target];
        int result = shape.result(item, target);
        double mean = dot(gradient, result, y, result, shape.valueSize());
        int query = shape.query(item, target);
        Arrays.fill(queryGradient, query, query + shape.size(), 0);
        for (int source = 0; source < shape.sources(); source++) {
          double weight = Math.exp(weights[source] - logSum);
          double factor = factor(item, target, source);
          int value = shape.value(item, source);
          double change =
              factor * dot(gradient, result, of.value(), value, shape.valueSize()) - mean;
          double score = shape.scale() * weight * change;
          int key = shape.key(item, source);
          addScaled(score, of.key(), key, shape.size(), queryGradient, query);
          addScaled(score, of.query(), query, shape.size(), keyGradient, key);
          addScaled(weight * factor, gradient, result, shape.valueSize(), valueGradient, value);
        }
      }
    }
  }

  private void scores(int item, int target) {
    int query = shape.query(item, target);
    for (int source = 0; source < weights.length; source++) {
      double fit = dot(of.query(), query, of.key(), shape.key(item, source), shape.size());
      weights[source] = masked(shape.scale() * fit, item, target, source);
    }
  }

  private double masked(double score, int item, int target, int source) {
    AttentionMask<double[]> mask = of.mask();
    if (mask == null) {
      return score;
    }
    int at = mask.at(item, target, source);
    if (mask.sees() != null) {
      return mask.sees()[at] ? score : Double.NEGATIVE_INFINITY;
    }
    return score + Objects.requireNonNull(mask.added())[at];
  }

  /// Returns the log of the sum of `exp(score)`; negative infinity if the mask hides all sources.
  private double logSum() {
    double greatest = Double.NEGATIVE_INFINITY;
    for (double score : weights) {
      greatest = Math.max(greatest, score);
    }
    double shift = greatest == Double.NEGATIVE_INFINITY ? 0 : greatest;
    double sum = 0;
    for (double score : weights) {
      sum += Math.exp(score - shift);
    }
    return greatest + Math.log(sum);
  }

  private double factor(int item, int target, int source) {
    return of.dropout() == null ? 1 : of.dropout().at(shape.weight(item, source) + target);
  }

  private static double dot(double[] a, int aStart, double[] b, int bStart, int size) {
    double sum = 0;
    for (int i = 0; i < size; i++) {
      sum += a[aStart + i] * b[bStart + i];
    }
    return sum;
  }

  private static void addScaled(
      double factor, double[] x, int start, int size, double[] sums, int to) {
    for (int i = 0; i < size; i++) {
      sums[to + i] += factor * x[start + i];
    }
  }
}
