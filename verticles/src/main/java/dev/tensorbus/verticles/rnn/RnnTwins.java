// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.rnn;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.LanguageModel;
import dev.tensorbus.models.text.TokenBatch;
import dev.tensorbus.models.text.TokenBatches;
import dev.tensorbus.nn.recurrent.Lstm;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.verticles.check.Twins;

/// The language model that `tensorbus train rnn` learns, here and over two workers.
public final class RnnTwins {
  private static final int TOKENS = 101;

  /// Without dropout: the parts would draw other values than the whole.
  private static final Hyperparameters SIZES = new Hyperparameters(24, 32, 2, 0, 4, 12, 1, 1, 1, 1);

  private RnnTwins() {}

  /// Makes both, and a text of random words.
  public static Twins make(Rpc rpc, String other, long seed) {
    RnnModel spread = new RnnModel(rpc, other, TOKENS, SIZES, seed);
    LanguageModel here = LanguageModel.of(spread.state());
    TokenBatch batch = TokenBatches.random(TOKENS, SIZES.batchSize(), SIZES.bptt(), seed);
    Tensor zeros = here.zeros(SIZES.batchSize());
    return new Twins(
        here.namedParameters(),
        spread.parameterRrefs(),
        () -> batch.loss(here.forward(batch.inputs(), zeros, zeros).getFirst()),
        () -> batch.loss(spread.forward(batch.inputs(), new Lstm.State(zeros, zeros)).decoded()));
  }
}
