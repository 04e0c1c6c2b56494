// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.gpt;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.dropout.Dropout;
import dev.tensorbus.nn.normalization.LayerNorm;
import java.util.random.RandomGenerator;

/// A transformer block: attention, then a perceptron, each preceded by a layer norm and bypassed by
/// a residual connection.
final class GptBlock extends Layer {
  private final LayerNorm norm1;
  private final CausalSelfAttention attention;
  private final LayerNorm norm2;
  private final Perceptron perceptron;

  GptBlock(GptOptions options, RandomGenerator random) {
    norm1 = child("ln_1", new LayerNorm(options.size()));
    attention = child("attn", new CausalSelfAttention(options, random));
    norm2 = child("ln_2", new LayerNorm(options.size()));
    perceptron = child("mlp", new Perceptron(options, random));
  }

  /// Maps `[n, places, size]` to the same shape.
  Tensor forward(Tensor x, Tensor mask) {
    Tensor attended = x.add(attention.forward(norm1.forward(x), mask));
    return attended.add(perceptron.forward(norm2.forward(attended)));
  }

  /// Two linear layers, with a hidden layer of four times the embedding size.
  private static final class Perceptron extends Layer {
    private final Linear fc;
    private final Linear proj;
    private final Dropout dropout;

    private Perceptron(GptOptions options, RandomGenerator random) {
      int size = options.size();
      fc = child("c_fc", new Linear(size, 4 * size, random));
      proj = child("c_proj", new Linear(4 * size, size, random));
      dropout = child("dropout", new Dropout(options.dropout(), random));
    }

    private Tensor forward(Tensor x) {
      return dropout.forward(proj.forward(fc.forward(x).geluTanh()));
    }
  }
}
