// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.text;

/// The unigram language model, which knows only how often each word occurs. A baseline for other
/// models.
public final class Unigram {
  private final double[] logProbabilities;

  /// Counts the words of a text. Add-one smoothing gives every word of the vocabulary a probability
  /// above 0.
  ///
  /// @param words size of the vocabulary
  public Unigram(int[] text, int words) {
    double[] counts = new double[words];
    for (int word : text) {
      counts[word]++;
    }
    logProbabilities = new double[words];
    for (int word = 0; word < words; word++) {
      logProbabilities[word] = Math.log((counts[word] + 1) / (text.length + words));
    }
  }

  /// Returns the perplexity of a text: on average, the model is as uncertain as if it chose among
  /// this number of equally likely words.
  public double perplexity(int[] text) {
    double sum = 0;
    for (int word : text) {
      sum -= logProbabilities[word];
    }
    return Math.exp(sum / text.length);
  }
}
