// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.kernel;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Embedding;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.LayerList;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.functional.Attention;
import dev.tensorbus.nn.normalization.LayerNorm;
import dev.tensorbus.nn.transformer.TransformerEncoderLayer;
import dev.tensorbus.nn.transformer.TransformerOptions;
import java.util.random.RandomGenerator;

/// The network of the PyTorch benchmark: two blocks of width 256 with 8 heads, without dropout.
final class SmallGpt extends Layer {
  private static final int WIDTH = 256;
  private static final int HEADS = 8;
  private static final int BLOCKS = 2;

  private final Embedding token;
  private final Embedding position;
  private final LayerList<TransformerEncoderLayer> blocks;
  private final LayerNorm norm;
  private final Linear head;

  SmallGpt(int vocabulary, int places, RandomGenerator random) {
    TransformerOptions options =
        TransformerOptions.of(WIDTH, HEADS)
            .withFeedforward(4 * WIDTH)
            .withGelu()
            .withNormFirst()
            .withDropout(0);
    token = child("token", new Embedding(vocabulary, WIDTH, random));
    position = child("position", new Embedding(places, WIDTH, random));
    blocks =
        child("blocks", LayerList.of(BLOCKS, _ -> new TransformerEncoderLayer(options, random)));
    norm = child("norm", new LayerNorm(WIDTH));
    head = child("head", new Linear(WIDTH, vocabulary, random));
  }

  /// Returns the scores `[n, places, vocabulary]` for the token that follows each token of `text`,
  /// `[n, places]`.
  Tensor forward(Tensor text) {
    int places = text.shape().size(1);
    Tensor mask = Attention.causalMask(places, places);
    Tensor x = token.forward(text).add(position.forward(Tensor.arange(places)));
    for (TransformerEncoderLayer block : blocks) {
      x = block.forward(x, mask);
    }
    return head.forward(norm.forward(x));
  }
}
