// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Embedding;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.StateDict;
import dev.tensorbus.nn.recurrent.Lstm;
import dev.tensorbus.nn.recurrent.RecurrentOptions;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/// Scores the words that may follow a text: PyTorch's word-level language model, whose weights have
/// its names.
public final class LanguageModel extends Layer {
  private final Embedding encoder;
  private final Lstm rnn;
  private final Linear decoder;
  private final int layers;
  private final int hidden;

  /// A model that has learnt nothing; equal generators make equal ones.
  ///
  /// @param tokens how many words there are
  /// @param options the sizes of embedding and state, and the layers
  public LanguageModel(int tokens, RecurrentOptions options, RandomGenerator random) {
    layers = options.layers();
    hidden = options.hidden();
    encoder = child("encoder", new Embedding(tokens, options.inputs(), random));
    rnn = child("rnn", new Lstm(options, random));
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
    RecurrentOptions options =
        RecurrentOptions.of(words.size(1), gates.shape().size(1))
            .withLayers(Math.toIntExact(layers));
    LanguageModel model = new LanguageModel(words.size(0), options, new SplittableRandom(0));
    model.load(weights);
    return model;
  }

  /// Makes the embedding's gradient one of rows, or of the whole table, as at first: see
  /// [Embedding#withSparse].
  ///
  /// @return this model
  public LanguageModel withSparse(boolean sparse) {
    encoder.withSparse(sparse);
    return this;
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
