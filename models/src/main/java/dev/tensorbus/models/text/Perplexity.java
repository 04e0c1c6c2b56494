// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.text;

/// The perplexity of a text that is read batch by batch: among how many equally likely words a
/// model seems to choose.
public final class Perplexity {
  private double loss;
  private long words;

  /// Nothing is read yet.
  public Perplexity() {}

  /// Counts a batch.
  ///
  /// @param meanLoss the mean cross-entropy of its words
  /// @param count how many words it has
  public void add(double meanLoss, int count) {
    loss += meanLoss * count;
    words += count;
  }

  /// The perplexity of all batches so far.
  public double value() {
    return Math.exp(loss / words);
  }
}
