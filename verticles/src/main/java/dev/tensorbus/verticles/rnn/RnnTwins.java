// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.rnn;

import static dev.tensorbus.autograd.Losses.crossEntropy;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.StateDict;
import dev.tensorbus.nn.recurrent.Lstm;
import dev.tensorbus.nn.recurrent.RecurrentOptions;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.verticles.check.Twins;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/// The language model that `tensorbus train rnn` learns, here and over two workers.
public final class RnnTwins {
  private static final int TOKENS = 101;

  /// Without dropout: the parts would draw other values than the whole.
  private static final Hyperparameters SIZES = new Hyperparameters(24, 32, 2, 0, 4, 12, 1, 1, 1, 1);

  private RnnTwins() {}

  /// Makes both, and a text of random words.
  public static Twins make(Rpc rpc, String other, long seed) {
    RnnModel spread = new RnnModel(rpc, other, TOKENS, SIZES, seed);
    Whole here = new Whole(spread.state());
    RandomGenerator random = new SplittableRandom(seed);
    long[] words = random.longs((long) SIZES.bptt() * SIZES.batchSize(), 0, TOKENS).toArray();
    int[] labels = random.ints(words.length, 0, TOKENS).toArray();
    Tensor text = Tensor.ofStorage(Shape.of(SIZES.bptt(), SIZES.batchSize()), words);
    return new Twins(
        here.namedParameters(),
        spread.parameterRrefs(),
        () -> crossEntropy(here.forward(text), labels),
        () ->
            crossEntropy(spread.forward(text, zeroState()).decoded().reshape(-1, TOKENS), labels));
  }

  private static Lstm.State zeroState() {
    Tensor zeros = Tensor.zeros(SIZES.layers(), SIZES.batchSize(), SIZES.hidden());
    return new Lstm.State(zeros, zeros);
  }

  /// All three parts in one place.
  private static final class Whole extends Layer {
    private final EmbeddingTable table;
    private final Lstm rnn;
    private final Decoder decoder;

    Whole(StateDict state) {
      table = child("table", new EmbeddingTable(TOKENS, SIZES.embedding(), 0, 0));
      RecurrentOptions options =
          RecurrentOptions.of(SIZES.embedding(), SIZES.hidden()).withLayers(SIZES.layers());
      rnn = child("rnn", new Lstm(options, new SplittableRandom(0)));
      decoder = child("last", new Decoder(TOKENS, SIZES.hidden(), 0, 0));
      table.load(RnnModel.part(state, "encoder.", ""));
      rnn.load(RnnModel.part(state, "rnn.", "rnn."));
      decoder.load(RnnModel.part(state, "decoder.", ""));
    }

    Tensor forward(Tensor text) {
      Lstm.Output output = rnn.forward(table.forward(text), zeroState());
      return decoder.forward(output.sequence()).reshape(-1, TOKENS);
    }
  }
}
