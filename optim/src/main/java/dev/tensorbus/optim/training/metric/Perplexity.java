// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training.metric;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.loss.CrossEntropyLoss;

/// The exponential of the mean cross-entropy of tokens: between how many tokens a language model
/// hesitates. After torchmetrics' `Perplexity`.
public final class Perplexity implements Metric {
  private double sum;
  private long tokens;

  /// Has seen nothing.
  public Perplexity() {}

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
    add(new CrossEntropyLoss().forward(logits, labels).itemDouble(), labels.shape().elements());
  }

  /// Adds a batch whose loss is known.
  ///
  /// @param meanLoss the mean cross-entropy of its tokens
  /// @param count how many tokens it has
  public void add(double meanLoss, int count) {
    sum += meanLoss * count;
    tokens += count;
  }

  @Override
  public double compute() {
    return Math.exp(sum / tokens);
  }
}
