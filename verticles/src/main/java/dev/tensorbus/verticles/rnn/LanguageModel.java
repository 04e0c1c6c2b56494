// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.rnn;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Embedding;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.StateDict;
import dev.tensorbus.nn.recurrent.Lstm;
import java.util.List;
import java.util.SplittableRandom;

/// All parts of an [RnnModel] in one place, to be used rather than trained; the names of its
/// weights are the same.
public final class LanguageModel extends Layer {
  private final Embedding encoder;
  private final Lstm rnn;
  private final Linear decoder;
  private final int layers;
  private final int hidden;

  /// A model that has learnt nothing; equal seeds make equal ones.
  public LanguageModel(int tokens, Hyperparameters sizes, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    layers = sizes.layers();
    hidden = sizes.hidden();
    encoder = child("encoder", new Embedding(tokens, sizes.embedding(), random));
    rnn = child("rnn", new Lstm(sizes.embedding(), hidden, layers, random));
    decoder = child("decoder", new Linear(hidden, tokens, random));
  }

  /// The model with these weights, whose shapes tell its sizes.
  ///
  /// @throws IllegalArgumentException if they are those of another model
  public static LanguageModel of(StateDict weights) {
    Tensor table = weights.tensors().get("encoder.weight");
    Tensor gates = weights.tensors().get("rnn.weight_hh_l0");
    if (table == null || gates == null) {
      throw new IllegalArgumentException(
          "no language model's weights: encoder.weight or rnn.weight_hh_l0 is missing");
    }
    long layers =
        weights.tensors().keySet().stream().filter(key -> key.contains("weight_hh_l")).count();
    Shape words = table.shape();
    Hyperparameters like = Hyperparameters.WORD_LEVEL;
    Hyperparameters sizes =
        like.withSizes(words.size(1), gates.shape().size(1), Math.toIntExact(layers));
    LanguageModel model = new LanguageModel(words.size(0), sizes, 0);
    model.load(weights);
    return model;
  }

  /// A state of zeros for so many texts.
  public Tensor zeros(int texts) {
    return Tensor.zeros(layers, texts, hidden);
  }

  /// Reads the numbers of words `[steps, texts]` from a state, hidden values and cell; gives a
  /// score for each word that may follow, `[steps, texts, tokens]`, and the state after.
  public List<Tensor> forward(Tensor tokens, Tensor before, Tensor cell) {
    Lstm.Output output = rnn.forward(encoder.forward(tokens), new Lstm.State(before, cell));
    Tensor scores = decoder.forward(output.sequence());
    return List.of(scores, output.state().hidden(), output.state().cell());
  }
}
