// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.transformer;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.dropout.Dropout;
import dev.tensorbus.nn.normalization.LayerNorm;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Self-attention, cross-attention to the encoder's output, and two linear layers, each with a
/// residual connection and normalization. Vaswani et al., "Attention Is All You Need" (2017). Like
/// `torch.nn.TransformerDecoderLayer` with `batch_first=True`.
public final class TransformerDecoderLayer extends Layer {
  private final TransformerOptions options;
  private final MultiheadAttention attention;
  private final MultiheadAttention memoryAttention;
  private final Linear linear1;
  private final Linear linear2;
  private final LayerNorm norm1;
  private final LayerNorm norm2;
  private final LayerNorm norm3;
  private final Dropout dropout;
  private final Dropout dropout1;
  private final Dropout dropout2;
  private final Dropout dropout3;

  /// Creates a layer with random parameters.
  public TransformerDecoderLayer(TransformerOptions options, RandomGenerator random) {
    int size = options.size();
    this.options = options;
    attention = child("self_attn", attention(options, random));
    memoryAttention = child("multihead_attn", attention(options, random));
    linear1 = child("linear1", new Linear(size, options.feedforward(), random));
    linear2 = child("linear2", new Linear(options.feedforward(), size, random));
    norm1 = child("norm1", new LayerNorm(size));
    norm2 = child("norm2", new LayerNorm(size));
    norm3 = child("norm3", new LayerNorm(size));
    dropout = child("dropout", new Dropout(options.dropout(), random));
    dropout1 = child("dropout1", new Dropout(options.dropout(), random));
    dropout2 = child("dropout2", new Dropout(options.dropout(), random));
    dropout3 = child("dropout3", new Dropout(options.dropout(), random));
  }

  private static MultiheadAttention attention(TransformerOptions options, RandomGenerator random) {
    return new MultiheadAttention(options.size(), options.heads(), options.dropout(), random);
  }

  /// Returns a tensor of the same shape as `x`, `[n, targets, size]`.
  ///
  /// @param memory the encoder's output, `[n, sources, size]`
  /// @param mask the mask between targets: null, or a mask for
  ///     [dev.tensorbus.nn.functional.Attention#scaledDotProduct], such as a [causal
  ///     mask][dev.tensorbus.nn.functional.Attention#causalMask]
  /// @param memoryMask the mask between targets and sources, or null
  /// @throws ShapeException if the shapes are incompatible
  public Tensor forward(
      Tensor x, Tensor memory, @Nullable Tensor mask, @Nullable Tensor memoryMask) {
    if (options.normFirst()) {
      Tensor attended = x.add(attend(norm1.forward(x), mask));
      Tensor read = attended.add(read(norm2.forward(attended), memory, memoryMask));
      return read.add(feed(norm3.forward(read)));
    }
    Tensor attended = norm1.forward(x.add(attend(x, mask)));
    Tensor read = norm2.forward(attended.add(read(attended, memory, memoryMask)));
    return norm3.forward(read.add(feed(read)));
  }

  private Tensor attend(Tensor x, @Nullable Tensor mask) {
    return dropout1.forward(attention.forward(x, x, x, mask));
  }

  private Tensor read(Tensor x, Tensor memory, @Nullable Tensor mask) {
    return dropout2.forward(memoryAttention.forward(x, memory, memory, mask));
  }

  private Tensor feed(Tensor x) {
    Tensor between = linear1.forward(x);
    Tensor active = options.gelu() ? between.gelu() : between.relu();
    return dropout3.forward(linear2.forward(dropout.forward(active)));
  }
}
