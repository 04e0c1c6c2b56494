// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training.metric;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// A confusion matrix of true and predicted classes. Like torchmetrics'
/// `MulticlassConfusionMatrix`.
///
/// Not thread-safe.
public final class ConfusionMatrix {
  private final long[][] counts;
  private final long ignoreIndex;

  /// Creates an empty matrix that ignores the label -100.
  public ConfusionMatrix(int classes) {
    this(classes, Classes.IGNORED);
  }

  private ConfusionMatrix(int classes, long ignoreIndex) {
    this.counts = new long[classes][classes];
    this.ignoreIndex = ignoreIndex;
  }

  /// Returns an empty copy that ignores another label.
  public ConfusionMatrix withIgnoreIndex(long ignoreIndex) {
    return new ConfusionMatrix(counts.length, ignoreIndex);
  }

  /// Adds a batch; the class with the highest score is the prediction.
  ///
  /// @param scores `[n, classes]`: logits, probabilities or log-probabilities
  /// @param labels the true classes, int64 `[n]`
  /// @throws ShapeException if the shapes are incompatible
  /// @throws IllegalArgumentException if a label is neither a class nor the ignored label
  public void update(Tensor scores, Tensor labels) {
    Classes.requireFit("confusion matrix", scores, labels);
    if (scores.shape().size(1) != counts.length) {
      throw new ShapeException(
          "confusion matrix",
          "scores %s do not have %d classes".formatted(scores.shape(), counts.length));
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

  /// Returns the counts, with a row for each true class and a column for each predicted one.
  public long[][] counts() {
    return Arrays.stream(counts).map(long[]::clone).toArray(long[][]::new);
  }

  /// Returns the precision of a class: the fraction of its predictions that are correct; NaN if the
  /// class is never predicted.
  public double precision(int label) {
    long taken = Arrays.stream(counts).mapToLong(row -> row[label]).sum();
    return (double) counts[label][label] / taken;
  }

  /// Returns the recall of a class: the fraction of its examples that are predicted correctly; NaN
  /// if the class has no examples.
  public double recall(int label) {
    return (double) counts[label][label] / Arrays.stream(counts[label]).sum();
  }

  /// Returns the harmonic mean of a class's precision and recall; 0 if the class is never predicted
  /// correctly.
  public double f1(int label) {
    long taken = Arrays.stream(counts).mapToLong(row -> row[label]).sum();
    long there = Arrays.stream(counts[label]).sum();
    return taken + there == 0 ? 0 : 2.0 * counts[label][label] / (taken + there);
  }

  /// Returns the mean of [#f1] over all classes with examples or predictions; NaN if the matrix is
  /// empty. Like scikit-learn's `f1_score(average="macro")`.
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

  /// Formats the counts as a table, with a row for each true class and a column for each predicted
  /// one.
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
