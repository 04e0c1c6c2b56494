// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.rnn;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.LanguageModel;
import dev.tensorbus.models.text.TokenBatch;
import dev.tensorbus.models.text.TokenBatches;
import dev.tensorbus.nn.recurrent.Lstm;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.verticles.check.Twins;

/// The language model of `tensorbus train rnn`, local and distributed over two workers.
public final class RnnTwins {
  private static final int TOKENS = 101;

  /// Without dropout, because the local and the distributed model would drop different values.
  private static final Hyperparameters SIZES = new Hyperparameters(24, 32, 2, 0, 4, 12, 1, 1, 1, 1);

  private RnnTwins() {}

  /// Creates both models and a batch of random words.
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
