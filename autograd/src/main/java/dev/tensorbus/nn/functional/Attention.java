// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.functional;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Means of values, weighted by how well keys fit a query. Vaswani et al., "Attention Is All You
/// Need" (2017).
public final class Attention {
  private Attention() {}

  /// Takes queries `[…, targets, d]`, keys `[…, sources, d]` and values `[…, sources, e]`, gives
  /// `[…, targets, e]`. After `torch.nn.functional.scaled_dot_product_attention`.
  ///
  /// @param mask null, or of booleans that say which source a target may see, or of numbers that
  ///     are added to how well they fit; broadcast to `[…, targets, sources]`
  /// @param dropout applied to the weights
  /// @throws ShapeException if the shapes do not fit
  public static Tensor scaledDotProduct(
      Tensor query,
      Tensor key,
      Tensor value,
      @Nullable Tensor mask,
      UnaryOperator<Tensor> dropout) {
    if (query.shape().rank() < 2 || query.shape().size(-1) != key.shape().size(-1)) {
      throw new ShapeException(
          "scaledDotProduct",
          "queries %s and keys %s do not fit".formatted(query.shape(), key.shape()));
    }
    double scale = 1 / Math.sqrt(query.shape().size(-1));
    Tensor fit = query.scale(scale).matmul(key.transpose(-2, -1));
    return dropout.apply(masked(fit, mask).softmax(-1)).matmul(value);
  }

  private static Tensor masked(Tensor fit, @Nullable Tensor mask) {
    if (mask == null) {
      return fit;
    }
    return mask.dtype() == DType.BOOL
        ? fit.maskedFill(mask.not(), Double.NEGATIVE_INFINITY)
        : fit.add(mask);
  }

  /// The mask that lets each target see the sources up to its own place only.
  public static Tensor causalMask(int targets, int sources) {
    boolean[] sees = new boolean[targets * sources];
    for (int i = 0; i < sees.length; i++) {
      sees[i] = i % sources <= i / sources;
    }
    return Tensor.ofStorage(Shape.of(targets, sources), sees);
  }
}
