// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.functional;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.op.neural.AttentionOps;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Means of values, weighted by how well keys fit a query. Vaswani et al., "Attention Is All You
/// Need" (2017).
public final class Attention {
  private Attention() {}

  /// Takes queries `[…, targets, d]`, keys `[…, sources, d]` and values `[…, sources, e]`, gives
  /// `[…, targets, e]`. After `torch.nn.functional.scaled_dot_product_attention`.
  ///
  /// A target that may see no source gets NaN. The values of sources that a target may not see must
  /// be finite, because they may be multiplied by 0.
  ///
  /// @param mask null, or of booleans that say which source a target may see, or of numbers that
  ///     are added to how well they fit; broadcast to `[…, targets, sources]`
  /// @throws ShapeException if the shapes do not fit
  public static Tensor scaledDotProduct(
      Tensor query, Tensor key, Tensor value, @Nullable Tensor mask) {
    return new AttentionOps(mask).scaledDotProduct(query, key, value);
  }

  /// The same, with dropout of the weights.
  ///
  /// @param dropout the probability of leaving out a weight, in `[0, 1)`
  /// @param random where the choice comes from
  /// @throws ShapeException if the shapes do not fit
  public static Tensor scaledDotProduct(
      Tensor query,
      Tensor key,
      Tensor value,
      @Nullable Tensor mask,
      float dropout,
      RandomGenerator random) {
    return new AttentionOps(mask).withDropout(dropout, random).scaledDotProduct(query, key, value);
  }

  /// The mask that lets each target see the sources up to its own place only.
  public static Tensor causalMask(int targets, int sources) {
    boolean[] sees = new boolean[targets * sources];
    for (int i = 0; i < sees.length; i++) {
      sees[i] = i % sources <= i / sources;
    }
    return Tensor.of(Shape.of(targets, sources), sees);
  }
}
