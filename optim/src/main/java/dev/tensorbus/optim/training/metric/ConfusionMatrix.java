// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training.metric;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Counts how often a network took examples of one class for another. After torchmetrics'
/// `MulticlassConfusionMatrix`.
///
/// Not for several threads at once.
public final class ConfusionMatrix {
  private final long[][] counts;
  private final long ignoreIndex;

  /// Has counted nothing; the label -100 does not count.
  public ConfusionMatrix(int classes) {
    this(classes, Classes.IGNORED);
  }

  private ConfusionMatrix(int classes, long ignoreIndex) {
    this.counts = new long[classes][classes];
    this.ignoreIndex = ignoreIndex;
  }

  /// Returns a new one, which has counted nothing, where this label does not count.
  public ConfusionMatrix withIgnoreIndex(long ignoreIndex) {
    return new ConfusionMatrix(counts.length, ignoreIndex);
  }

  /// Adds a batch; the class with the greatest score is the prediction.
  ///
  /// @param scores `[n, classes]`, of any kind
  /// @param labels the true classes, int64 `[n]`
  /// @throws ShapeException if the shapes do not fit
  /// @throws IllegalArgumentException if a label is not the number of a class
  public void update(Tensor scores, Tensor labels) {
    Classes.requireFit("confusion matrix", scores, labels);
    if (scores.shape().size(1) != counts.length) {
      throw new ShapeException(
          "confusion matrix",
          "scores %s are not of %d classes".formatted(scores.shape(), counts.length));
    }
    long[] predicted = scores.argmax(1).longs();
    long[] wanted = labels.longs();
    for (int i = 0; i < wanted.length; i++) {
      if (wanted[i] != ignoreIndex) {
        int label = Classes.requireClass("confusion matrix", wanted[i], i, counts.length);
        counts[label][(int) predicted[i]]++;
      }
    }
  }

  /// How many examples of each class, the row, were taken for each class, the column.
  public long[][] counts() {
    return Arrays.stream(counts).map(long[]::clone).toArray(long[][]::new);
  }

  /// Of the examples that were taken for a class, the share that belongs to it; NaN if there are
  /// none.
  public double precision(int label) {
    long taken = Arrays.stream(counts).mapToLong(row -> row[label]).sum();
    return (double) counts[label][label] / taken;
  }

  /// Of the examples of a class, the share that was recognised; NaN if there are none.
  public double recall(int label) {
    return (double) counts[label][label] / Arrays.stream(counts[label]).sum();
  }

  /// The harmonic mean of precision and recall, which is 0 for a class that was never recognised.
  public double f1(int label) {
    long taken = Arrays.stream(counts).mapToLong(row -> row[label]).sum();
    long there = Arrays.stream(counts[label]).sum();
    return taken + there == 0 ? 0 : 2.0 * counts[label][label] / (taken + there);
  }

  /// The mean of [#f1] over all classes of which there are examples or predictions, as
  /// scikit-learn's `f1_score(average="macro")`; NaN if nothing was counted.
  public double macroF1() {
    return IntStream.range(0, counts.length)
        .filter(this::occurs)
        .mapToDouble(this::f1)
        .average()
        .orElse(Double.NaN);
  }

  private boolean occurs(int label) {
    return Arrays.stream(counts[label]).sum() > 0
        || Arrays.stream(counts).anyMatch(row -> row[label] > 0);
  }

  /// A table: a row for each true class, a column for each predicted one.
  @Override
  public String toString() {
    long greatest = Arrays.stream(counts).flatMapToLong(Arrays::stream).max().orElse(0);
    int width = Math.max(Long.toString(greatest).length(), 3);
    return Arrays.stream(counts)
        .map(
            row ->
                Arrays.stream(row)
                    .mapToObj(count -> ("%" + width + "d").formatted(count))
                    .collect(Collectors.joining(" ")))
        .collect(Collectors.joining(System.lineSeparator()));
  }
}
