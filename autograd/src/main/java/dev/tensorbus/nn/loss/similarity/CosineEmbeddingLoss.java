// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.loss.similarity;

import dev.tensorbus.autograd.Axes;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.loss.LossReduction;

/// How far the angle between two vectors is from 0 where they are of one kind; elsewhere by how
/// much its cosine is above a margin. After `torch.nn.CosineEmbeddingLoss`.
///
/// @param margin how great the cosine between two kinds may be
public record CosineEmbeddingLoss(LossReduction reduction, double margin) {
  /// torch adds this to each sum of squares.
  private static final double EPSILON = 1e-12;

  /// Takes the mean, with a margin of 0.
  public CosineEmbeddingLoss() {
    this(LossReduction.MEAN, 0);
  }

  /// The same with this reduction.
  public CosineEmbeddingLoss withReduction(LossReduction reduction) {
    return new CosineEmbeddingLoss(reduction, margin);
  }

  /// The same with this margin.
  public CosineEmbeddingLoss withMargin(double margin) {
    return new CosineEmbeddingLoss(reduction, margin);
  }

  /// The loss of pairs of vectors, which lie along the last axis, reduced.
  ///
  /// @param first vectors
  /// @param second one for each
  /// @param wanted 1 for each pair of one kind, -1 for two kinds
  /// @throws ShapeException if the shapes do not fit
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
    return a.mul(b).sumOver(Axes.of(-1));
  }

  private static Tensor squares(Tensor x) {
    return sums(x, x).addScalar(EPSILON);
  }
}
