// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.text;

/// The simplest language model: it knows how often each word comes and nothing of what came
/// before. Any other model has to beat it.
public final class Unigram {
  private final double[] logProbabilities;

  /// Counts the words of a text; each word of the vocabulary counts once more than it comes, so
  /// that none is impossible.
  ///
  /// @param words how many words the vocabulary has
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

  /// The perplexity of a text: among how many equally likely words it seems to choose.
  public double perplexity(int[] text) {
    double sum = 0;
    for (int word : text) {
      sum -= logProbabilities[word];
    }
    return Math.exp(sum / text.length);
  }
}
