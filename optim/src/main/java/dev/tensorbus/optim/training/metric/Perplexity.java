// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training.metric;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.loss.CrossEntropyLoss;

/// The exponential of the mean cross-entropy per token. Like torchmetrics' `Perplexity`.
public final class Perplexity implements LabelMetric {
  private final CrossEntropyLoss loss;
  private double sum;
  private double tokens;

  /// Creates a perplexity metric that ignores the label -100.
  public Perplexity() {
    this(new CrossEntropyLoss());
  }

  private Perplexity(CrossEntropyLoss loss) {
    this.loss = loss;
  }

  /// Returns an empty copy that ignores another label.
  public Perplexity withIgnoreIndex(long ignoreIndex) {
    return new Perplexity(loss.withIgnoreIndex(ignoreIndex));
  }

  @Override
  public long ignoreIndex() {
    return loss.ignoreIndex();
  }

  @Override
  public String name() {
    return "perplexity";
  }

  @Override
  public void reset() {
    sum = 0;
    tokens = 0;
  }

  /// Adds a batch.
  ///
  /// @param logits `[n, vocabulary, …]`
  /// @param labels the true token ids, int64 `[n, …]`
  @Override
  public void update(Tensor logits, Tensor labels) {
    add(loss.forward(logits, labels).itemDouble(), loss.weight(labels));
  }

  /// Adds a batch whose loss is already known. Ignores a batch if `count` is 0, since its mean loss
  /// is NaN.
  ///
  /// @param meanLoss mean cross-entropy of the batch's tokens
  /// @param count number of tokens that the mean includes
  public void add(double meanLoss, double count) {
    if (count != 0) {
      sum += meanLoss * count;
      tokens += count;
    }
  }

  @Override
  public double compute() {
    return Math.exp(sum / tokens);
  }
}
