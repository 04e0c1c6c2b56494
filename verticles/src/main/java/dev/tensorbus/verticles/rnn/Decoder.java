// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.rnn;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.dropout.Dropout;
import dev.tensorbus.rpc.Remote;
import java.util.SplittableRandom;

/// The last part of an [RnnModel]: what the LSTM gives becomes a score for each word.
public final class Decoder extends Layer {
  private final Dropout drop;
  private final Linear decoder;
  private Tensor scores = Tensor.zeros(0);

  /// A decoder that has learnt nothing; equal seeds make equal ones.
  @Remote
  Decoder(int tokens, int hidden, float dropout, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    drop = child("drop", new Dropout(dropout, random));
    decoder = child("decoder", new Linear(hidden, tokens, random).withZeroBias());
    Weights.drawAgain(decoder.parameters().getFirst(), random);
  }

  /// `[…, hidden]` gives `[…, tokens]`, for one trainer. When it calls again it has the scores
  /// of the last time, and has been told that their backward pass is over: so the memory of the
  /// scores and of their gradient is used again.
  @Remote(onlyComputes = true)
  public synchronized Tensor forward(Tensor output) {
    RnnModel.free(scores);
    scores = decoder.forward(drop.forward(output));
    if (scores.requiresGrad()) {
      scores.retainGrad();
    }
    return scores;
  }
}
