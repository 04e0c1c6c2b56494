// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.rnn;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Embedding;
import dev.tensorbus.nn.Initializers;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.dropout.Dropout;
import dev.tensorbus.rpc.Execution;
import dev.tensorbus.rpc.Remote;
import java.util.SplittableRandom;

/// The first part of an [RnnModel]: turns words into vectors.
public final class EmbeddingTable extends Layer {
  private final Dropout drop;
  private final Embedding encoder;

  /// Creates an untrained table; equal seeds give equal tables.
  ///
  /// @param sparse whether its gradient is sparse, which not every optimizer supports
  @Remote
  EmbeddingTable(int tokens, int inputs, float dropout, long seed, boolean sparse) {
    SplittableRandom random = new SplittableRandom(seed);
    drop = child("drop", new Dropout(dropout, random));
    encoder = child("encoder", new Embedding(tokens, inputs, random).withSparse(sparse));
    Initializers.uniform(encoder.parameters().getFirst(), 0.1, random);
  }

  /// Maps word indices of any shape to `[…, inputs]`.
  @Remote(execution = Execution.ADAPTIVE)
  public Tensor forward(Tensor input) {
    return drop.forward(encoder.forward(input));
  }
}
