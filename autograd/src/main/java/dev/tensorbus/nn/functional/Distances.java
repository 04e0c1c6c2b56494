// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.functional;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;

/// Distances and similarities of vectors along an axis.
public final class Distances {
  private Distances() {}

  /// Returns the norms of the differences between vectors along the last axis. Like
  /// `torch.nn.functional.pairwise_distance`.
  ///
  /// @param order the order of the norm; 2 for the Euclidean distance
  /// @param eps the value added to each difference, so that equal vectors have a gradient
  /// @throws ShapeException if the shapes are incompatible
  public static Tensor pairwiseDistance(Tensor a, Tensor b, double order, double eps) {
    return a.sub(b).addScalar(eps).vectorNorm(order, -1);
  }

  /// Returns the cosines of the angles between vectors along an axis. Norms are clamped to at least
  /// `eps`. Like `torch.nn.functional.cosine_similarity`.
  ///
  /// @throws ShapeException if the shapes are incompatible or there is no such axis
  public static Tensor cosineSimilarity(Tensor a, Tensor b, int axis, double eps) {
    Tensor least = Tensor.full(Shape.SCALAR, a.dtype(), eps);
    Tensor first = a.div(a.vectorNorm(2, axis).unsqueeze(axis).maximum(least));
    Tensor second = b.div(b.vectorNorm(2, axis).unsqueeze(axis).maximum(least));
    return first.mul(second).sum(axis);
  }
}
