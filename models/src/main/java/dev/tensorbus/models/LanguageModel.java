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

/// Predicts the next word of a text. Equivalent to the LSTM model in PyTorch's
/// `word_language_model` example, with the same parameter names.
public final class LanguageModel extends Layer {
  private final Embedding encoder;
  private final Lstm rnn;
  private final Linear decoder;
  private final int layers;
  private final int hidden;

  /// Creates an untrained model. Generators with equal seeds yield equal models.
  ///
  /// @param tokens size of the vocabulary
  /// @param options embedding size, hidden size and number of layers
  public LanguageModel(int tokens, RecurrentOptions options, RandomGenerator random) {
    layers = options.layers();
    hidden = options.hidden();
    encoder = child("encoder", new Embedding(tokens, options.inputs(), random));
    rnn = child("rnn", new Lstm(options, random));
    decoder = child("decoder", new Linear(hidden, tokens, random));
  }

  /// Creates a model with the given weights. Their shapes determine the model's sizes.
  ///
  /// @throws IllegalArgumentException if the weights belong to another model
  public static LanguageModel of(StateDict weights) {
    Tensor table = weights.tensors().get("encoder.weight");
    Tensor gates = weights.tensors().get("rnn.weight_hh_l0");
    if (table == null || gates == null) {
      throw new IllegalArgumentException(
          "not the weights of a LanguageModel: encoder.weight or rnn.weight_hh_l0 is missing");
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

  /// Sets whether the embedding's gradient is sparse (default: dense); see [Embedding#withSparse].
  ///
  /// @return this model
  public LanguageModel withSparse(boolean sparse) {
    encoder.withSparse(sparse);
    return this;
  }

  /// Returns the initial hidden or cell state: zeros `[layers, texts, hidden]`.
  public Tensor zeros(int texts) {
    return Tensor.zeros(layers, texts, hidden);
  }

  /// Reads token ids `[steps, texts]`, starting from a hidden state and a cell state. Returns the
  /// scores `[steps, texts, tokens]` for the word that follows each token, the new hidden state and
  /// the new cell state.
  public List<Tensor> forward(Tensor tokens, Tensor before, Tensor cell) {
    Lstm.Output output = rnn.forward(encoder.forward(tokens), new Lstm.State(before, cell));
    Tensor scores = decoder.forward(output.sequence());
    return List.of(scores, output.state().hidden(), output.state().cell());
  }
}
