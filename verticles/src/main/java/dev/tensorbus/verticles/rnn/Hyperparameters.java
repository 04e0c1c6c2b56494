// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.rnn;

import dev.tensorbus.nn.recurrent.RecurrentOptions;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.WorkerOptions;

/// The sizes of a model and its training parameters.
///
/// @param embedding size of a word's embedding
/// @param hidden size of the LSTM's state
/// @param layers number of layers of the LSTM
/// @param dropout probability of dropout
/// @param batchSize number of text segments that are read in parallel
/// @param bptt number of consecutive words per step
/// @param epochs number of passes over the text
/// @param learningRate learning rate of the first epoch
/// @param decay factor by which the learning rate is multiplied after each epoch
/// @param clip maximum total norm of the gradients; infinite for no clipping
public record Hyperparameters(
    int embedding,
    int hidden,
    int layers,
    float dropout,
    int batchSize,
    int bptt,
    int epochs,
    double learningRate,
    double decay,
    double clip) {
  /// The values of PyTorch's RPC tutorial: four layers of size three, which learn little more than
  /// the frequencies of words.
  public static final Hyperparameters TUTORIAL =
      new Hyperparameters(2, 3, 4, 0.5f, 3, 5, 10, 0.05, 1, Double.POSITIVE_INFINITY);

  /// The values of PyTorch's word-level language model.
  public static final Hyperparameters WORD_LEVEL =
      new Hyperparameters(200, 200, 2, 0.2f, 20, 35, 4, 20, 0.5, 0.25);

  /// Returns the options of the LSTM.
  public RecurrentOptions lstm() {
    return RecurrentOptions.of(embedding, hidden).withLayers(layers).withDropout(dropout);
  }

  /// Returns the values in the options. Their defaults depend on whether the options name a text.
  static Hyperparameters of(WorkerOptions options) {
    Hyperparameters rest = options.path(RnnSettings.DATA).isPresent() ? WORD_LEVEL : TUTORIAL;
    return new Hyperparameters(
        options.optionalInt(RnnSettings.EMBEDDING).orElse(rest.embedding),
        options.optionalInt(RnnSettings.HIDDEN).orElse(rest.hidden),
        options.optionalInt(RnnSettings.LAYERS).orElse(rest.layers),
        (float) options.optionalNumber(RnnSettings.DROPOUT).orElse(rest.dropout),
        options.optionalInt(Setting.BATCH_SIZE).orElse(rest.batchSize),
        options.optionalInt(RnnSettings.BPTT).orElse(rest.bptt),
        options.optionalInt(Setting.EPOCHS).orElse(rest.epochs),
        options.optionalNumber(Setting.LR).orElse(rest.learningRate),
        options.optionalNumber(RnnSettings.DECAY).orElse(rest.decay),
        options.optionalNumber(RnnSettings.CLIP).orElse(rest.clip));
  }
}
