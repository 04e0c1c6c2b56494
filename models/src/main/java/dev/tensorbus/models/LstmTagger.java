// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Embedding;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.StateDict;
import dev.tensorbus.nn.recurrent.Lstm;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/// Predicts the part of speech of each word in a sentence. The network is the one from PyTorch's
/// tutorial "Sequence Models and Long Short-Term Memory Networks", with the same parameter names.
public final class LstmTagger extends Layer implements Forward {
  private final Embedding words;
  private final Lstm lstm;
  private final Linear tags;

  /// Creates an untrained network.
  ///
  /// @param vocabulary number of words
  /// @param size embedding size
  /// @param hidden hidden size
  /// @param tagset number of tags
  public LstmTagger(int vocabulary, int size, int hidden, int tagset, RandomGenerator random) {
    words = child("word_embeddings", new Embedding(vocabulary, size, random));
    lstm = child("lstm", new Lstm(size, hidden, 1, random));
    tags = child("hidden2tag", new Linear(hidden, tagset, random));
  }

  /// Creates a network with the given weights. Their shapes determine the network's sizes.
  ///
  /// @throws IllegalArgumentException if the weights belong to another network
  public static LstmTagger of(StateDict weights) {
    Tensor table = weights.tensors().get("word_embeddings.weight");
    Tensor last = weights.tensors().get("hidden2tag.weight");
    if (table == null || last == null) {
      throw new IllegalArgumentException(
          "not the weights of an LstmTagger: word_embeddings.weight or hidden2tag.weight is"
              + " missing");
    }
    LstmTagger tagger =
        new LstmTagger(
            table.shape().size(0),
            table.shape().size(1),
            last.shape().size(1),
            last.shape().size(0),
            new SplittableRandom(0));
    tagger.load(weights);
    return tagger;
  }

  /// Maps word ids, int64 `[steps, n]`, to the log-probabilities `[steps, n, tags]` of their tags.
  @Override
  public Tensor forward(Tensor sentences) {
    return tags.forward(lstm.forward(words.forward(sentences)).sequence()).logSoftmax(-1);
  }
}
