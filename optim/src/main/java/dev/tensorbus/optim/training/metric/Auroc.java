// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training.metric;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The area under the ROC curve: the probability that a positive example has a higher score than a
/// negative one, where equal scores count half (Fawcett, "An introduction to ROC analysis", 2006).
/// Like torchmetrics' `BinaryAUROC`. Retains all scores in memory.
public final class Auroc implements Metric {
  private record Scored(double score, boolean isPositive) {}

  private final List<Scored> examples = new ArrayList<>();

  /// Creates an empty metric.
  public Auroc() {}

  @Override
  public String name() {
    return "auroc";
  }

  @Override
  public void reset() {
    examples.clear();
  }

  /// Adds a batch.
  ///
  /// @param scores `[n]` or `[n, 1]`: scores of one kind, such as probabilities or logits
  /// @param wanted one target per score: 1 or true for positive examples, 0 or false for negative
  ///     ones
  @Override
  public void update(Tensor scores, Tensor wanted) {
    double[] given = scores.to(DType.FLOAT64).doubles();
    double[] targets = wanted.to(DType.FLOAT64).doubles();
    if (given.length != targets.length) {
      throw new ShapeException(
          "auroc",
          "scores %s and targets %s have different sizes"
              .formatted(scores.shape(), wanted.shape()));
    }
    for (int i = 0; i < given.length; i++) {
      if (Double.isNaN(given[i]) || (targets[i] != 0 && targets[i] != 1)) {
        throw new IllegalArgumentException(
            "auroc: example %d has score %s and target %s; expected a number, and 0 or 1 as target"
                .formatted(i, given[i], targets[i]));
      }
      examples.add(new Scored(given[i], targets[i] == 1));
    }
  }

  /// Returns the area; NaN if all examples are positive, or all are negative.
  @Override
  public double compute() {
    List<Scored> sorted = new ArrayList<>(examples);
    sorted.sort(Comparator.comparingDouble(Scored::score));
    double positives = 0;
    double ranks = 0;
    int from = 0;
    while (from < sorted.size()) {
      int to = from;
      while (to < sorted.size() && sorted.get(to).score() == sorted.get(from).score()) {
        to++;
      }
      long here = sorted.subList(from, to).stream().filter(Scored::isPositive).count();
      positives += here;
      ranks += here * (from + 1 + to) / 2.0; // tied scores get the mean of their ranks
      from = to;
    }
    double negatives = sorted.size() - positives;
    return (ranks - positives * (positives + 1) / 2) / (positives * negatives);
  }
}
