// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.loss.similarity;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.functional.Distances;
import dev.tensorbus.nn.loss.LossReduction;

/// By how much an anchor is nearer to a vector of another kind than to one of its own kind, and a
/// margin; 0 if it is not. After `torch.nn.TripletMarginLoss` (Balntas et al., "Learning Shallow
/// Convolutional Feature Descriptors with Triplet Losses", 2016).
///
/// @param margin how much farther the other kind should be
/// @param order of the norm that is the distance
/// @param eps what is added to each difference
/// @param swap whether the distance of both vectors counts too, if they are nearer to each other
public record TripletMarginLoss(
    LossReduction reduction, double margin, double order, double eps, boolean swap) {
  /// Takes the mean, with a margin of 1 and Euclid's distance.
  public TripletMarginLoss() {
    this(LossReduction.MEAN, 1, 2, 1e-6, false);
  }

  /// The same with this reduction.
  public TripletMarginLoss withReduction(LossReduction reduction) {
    return new TripletMarginLoss(reduction, margin, order, eps, swap);
  }

  /// The same with this margin.
  public TripletMarginLoss withMargin(double margin) {
    return new TripletMarginLoss(reduction, margin, order, eps, swap);
  }

  /// The same with a norm of this order.
  public TripletMarginLoss withOrder(double order) {
    return new TripletMarginLoss(reduction, margin, order, eps, swap);
  }

  /// The same where the distance of both vectors counts too, or not.
  public TripletMarginLoss withSwap(boolean swap) {
    return new TripletMarginLoss(reduction, margin, order, eps, swap);
  }

  /// The loss of triples of vectors, which lie along the last axis, reduced.
  ///
  /// @param anchor vectors
  /// @param positive one of its kind for each
  /// @param negative one of another kind for each
  /// @throws ShapeException if the shapes do not fit
  public Tensor forward(Tensor anchor, Tensor positive, Tensor negative) {
    Tensor near = Distances.pairwiseDistance(anchor, positive, order, eps);
    Tensor far = Distances.pairwiseDistance(anchor, negative, order, eps);
    if (swap) {
      far = far.minimum(Distances.pairwiseDistance(positive, negative, order, eps));
    }
    Tensor losses = near.sub(far).addScalar(margin).clamp(0, Double.POSITIVE_INFINITY);
    return reduction.of(losses);
  }
}
