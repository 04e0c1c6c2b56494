// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training.metric;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.loss.CrossEntropyLoss;

/// The exponential of the mean cross-entropy of tokens: between how many tokens a language model
/// hesitates. After torchmetrics' `Perplexity`.
public final class Perplexity implements LabelMetric {
  private final CrossEntropyLoss loss;
  private double sum;
  private double tokens;

  /// Has seen nothing; the label -100 does not count.
  public Perplexity() {
    this(new CrossEntropyLoss());
  }

  private Perplexity(CrossEntropyLoss loss) {
    this.loss = loss;
  }

  /// Returns a new one where this label does not count.
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
  /// @param logits `[n, tokens, …]`
  /// @param labels the tokens that came, int64 `[n, …]`
  @Override
  public void update(Tensor logits, Tensor labels) {
    add(loss.forward(logits, labels).itemDouble(), loss.weight(labels));
  }

  /// Adds a batch whose loss is known. One without a token that counts changes nothing: its mean is
  /// NaN.
  ///
  /// @param meanLoss the mean cross-entropy of its tokens
  /// @param count how many tokens count
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
