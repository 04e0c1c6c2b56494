// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.rnn;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Initializers;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.dropout.Dropout;
import dev.tensorbus.rpc.Execution;
import dev.tensorbus.rpc.Remote;
import java.util.SplittableRandom;

/// The last part of an [RnnModel]: turns the LSTM's output into a score for each word.
public final class Decoder extends Layer {
  private final Dropout drop;
  private final Linear decoder;

  /// Creates an untrained decoder; equal seeds give equal decoders.
  @Remote
  Decoder(int tokens, int hidden, float dropout, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    drop = child("drop", new Dropout(dropout, random));
    decoder = child("decoder", new Linear(hidden, tokens, random).withZeroBias());
    Initializers.uniform(decoder.parameters().getFirst(), 0.1, random);
  }

  /// Maps `[…, hidden]` to `[…, tokens]`.
  @Remote(execution = Execution.ADAPTIVE)
  public Tensor forward(Tensor output) {
    return decoder.forward(drop.forward(output));
  }
}
