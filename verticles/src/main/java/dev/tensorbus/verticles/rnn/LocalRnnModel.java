// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.rnn;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.recurrent.Lstm;
import dev.tensorbus.optim.checkpoint.Checkpoint;
import java.util.SplittableRandom;

/// The language model of [RnnModel] on one worker.
final class LocalRnnModel extends Layer implements RecurrentModel {
  private final Hyperparameters sizes;
  private final EmbeddingTable embedding;
  private final Lstm rnn;
  private final Decoder decoder;

  /// The state after the last batch of the training. These are buffers, so that a compiled step
  /// reads and replaces them.
  private final Lstm.State hidden;

  /// Creates an untrained model, whose parameters are those of an [RnnModel] with the same seed.
  LocalRnnModel(int tokens, Hyperparameters sizes, long seed) {
    this.sizes = sizes;
    SplittableRandom random = new SplittableRandom(seed);
    float dropout = sizes.dropout();
    embedding =
        child(
            "embedding",
            new EmbeddingTable(tokens, sizes.embedding(), dropout, random.nextLong(), false));
    rnn = child("rnn", new Lstm(sizes.lstm(), random.split()));
    decoder = child("decoder", new Decoder(tokens, sizes.hidden(), dropout, random.nextLong()));
    Lstm.State zeros = initHidden(sizes.batchSize());
    hidden = new Lstm.State(buffer("hidden", zeros.hidden()), buffer("cell", zeros.cell()));
  }

  /// Returns the scores of the next words `[steps, batch]` of the training text.
  Tensor next(Tensor input) {
    RnnModel.Output output = forward(input, hidden.detach());
    keep(output.hidden().detach());
    return output.decoded();
  }

  /// Starts the training text again.
  void reset() {
    keep(initHidden(sizes.batchSize()));
  }

  private void keep(Lstm.State state) {
    hidden.hidden().replace(_ -> state.hidden());
    hidden.cell().replace(_ -> state.cell());
  }

  @Override
  public RnnModel.Output forward(Tensor input, Lstm.State hidden) {
    Lstm.Output output = rnn.forward(embedding.forward(input), hidden);
    return new RnnModel.Output(decoder.forward(output.sequence()), output.state());
  }

  @Override
  public Lstm.State initHidden(int texts) {
    return new Lstm.State(zeros(texts), zeros(texts));
  }

  private Tensor zeros(int texts) {
    return Tensor.zeros(sizes.layers(), texts, sizes.hidden());
  }

  /// Returns a checkpoint of all parts, under the names of [RnnModel#addTo].
  Checkpoint checkpoint() {
    return new Checkpoint()
        .withModel("embedding", embedding)
        .withModel("rnn", rnn)
        .withModel("decoder", decoder);
  }
}
