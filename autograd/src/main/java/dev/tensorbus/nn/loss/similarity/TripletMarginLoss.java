// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.loss.similarity;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.functional.Distances;
import dev.tensorbus.nn.loss.LossReduction;

/// The distance from an anchor to a vector of its class, minus the distance from the anchor to a
/// vector of another class, plus a margin; at least 0. Like `torch.nn.TripletMarginLoss` (Balntas
/// et al., "Learning Shallow Convolutional Feature Descriptors with Triplet Losses", 2016).
///
/// @param margin how much larger the distance to the other class should be
/// @param order the order of the norm that measures distances
/// @param eps the constant that is added to each difference
/// @param swap whether to use the distance from the positive to the negative vector if it is
///     smaller than the distance from the anchor to the negative vector
public record TripletMarginLoss(
    LossReduction reduction, double margin, double order, double eps, boolean swap) {
  /// Creates a loss that is reduced to the mean, with a margin of 1 and the Euclidean distance.
  public TripletMarginLoss() {
    this(LossReduction.MEAN, 1, 2, 1e-6, false);
  }

  /// Returns a copy with the given reduction.
  public TripletMarginLoss withReduction(LossReduction reduction) {
    return new TripletMarginLoss(reduction, margin, order, eps, swap);
  }

  /// Returns a copy with the given margin.
  public TripletMarginLoss withMargin(double margin) {
    return new TripletMarginLoss(reduction, margin, order, eps, swap);
  }

  /// Returns a copy with a norm of the given order.
  public TripletMarginLoss withOrder(double order) {
    return new TripletMarginLoss(reduction, margin, order, eps, swap);
  }

  /// Returns a copy that measures the distance to the negative vector from the anchor or, if `swap`
  /// is true, from the anchor or the positive vector, whichever is closer.
  public TripletMarginLoss withSwap(boolean swap) {
    return new TripletMarginLoss(reduction, margin, order, eps, swap);
  }

  /// Returns the reduced loss of triples of vectors along the last axis.
  ///
  /// @param anchor the reference vectors
  /// @param positive vectors of the same classes as the anchors
  /// @param negative vectors of other classes
  /// @throws ShapeException if the shapes are incompatible
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
