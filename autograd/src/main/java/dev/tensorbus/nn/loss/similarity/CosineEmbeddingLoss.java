// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.loss.similarity;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.loss.LossReduction;

/// For similar vectors, one minus the cosine of their angle; for dissimilar vectors, the amount by
/// which the cosine exceeds a margin. Like `torch.nn.CosineEmbeddingLoss`.
///
/// @param margin the maximum cosine of dissimilar vectors for which the loss is 0
public record CosineEmbeddingLoss(LossReduction reduction, double margin) {
  /// The constant that is added to each sum of squares, as in torch.
  private static final double EPSILON = 1e-12;

  /// Creates a loss that is reduced to the mean, with a margin of 0.
  public CosineEmbeddingLoss() {
    this(LossReduction.MEAN, 0);
  }

  /// Returns a copy with the given reduction.
  public CosineEmbeddingLoss withReduction(LossReduction reduction) {
    return new CosineEmbeddingLoss(reduction, margin);
  }

  /// Returns a copy with the given margin.
  public CosineEmbeddingLoss withMargin(double margin) {
    return new CosineEmbeddingLoss(reduction, margin);
  }

  /// Returns the reduced loss of pairs of vectors along the last axis.
  ///
  /// @param first the first vector of each pair
  /// @param second the second vector of each pair
  /// @param wanted 1 for each similar pair, -1 for each dissimilar pair
  /// @throws ShapeException if the shapes are incompatible
  public Tensor forward(Tensor first, Tensor second, Tensor wanted) {
    Tensor cosines = sums(first, second).div(squares(first).mul(squares(second)).sqrt());
    if (!wanted.shape().equals(cosines.shape())) {
      throw new ShapeException(
          "cosineEmbeddingLoss",
          "wanted %s does not fit %s and %s; expected %s"
              .formatted(wanted.shape(), first.shape(), second.shape(), cosines.shape()));
    }
    Tensor one = Tensor.full(Shape.SCALAR, wanted.dtype(), 1);
    Tensor apart = Tensor.full(Shape.SCALAR, wanted.dtype(), -1);
    Tensor together = cosines.rsubScalar(1).maskedFill(wanted.ne(one), 0);
    Tensor above = cosines.subScalar(margin).clamp(0, Double.POSITIVE_INFINITY);
    return reduction.of(together.add(above.maskedFill(wanted.ne(apart), 0)));
  }

  private static Tensor sums(Tensor a, Tensor b) {
    return a.mul(b).sum(-1);
  }

  private static Tensor squares(Tensor x) {
    return sums(x, x).addScalar(EPSILON);
  }
}
