// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.elementwise;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.LANES;

import dev.tensorbus.autograd.kernel.Moments;
import dev.tensorbus.autograd.kernel.Parallel;
import dev.tensorbus.autograd.kernel.shape.NormalizationShape;

/// Computes [dev.tensorbus.autograd.kernel.Arithmetic#normalize] and its gradients with the kernel
/// that suits the layout of the groups.
public record VectorNormalization(Parallel parallel, NormalizationShape shape) {
  /// Returns whether there is a kernel for this layout. For other layouts, a plain loop is as fast.
  public boolean isFast() {
    return isOfColumns() || isOfPositions() || shape.inner() >= LANES;
  }

  /// Returns whether each column of a matrix is both a group and a channel.
  private boolean isOfColumns() {
    return shape.size() == 1 && shape.inner() == 1 && shape.groups() == shape.channels();
  }

  /// Returns whether a group is a row in which every value belongs to a different channel.
  private boolean isOfPositions() {
    return shape.size() >= LANES && shape.inner() == 1;
  }

  /// Computes the normalized values, and the moments of the groups.
  public void run(float[] x, float[] weight, float[] bias, Moments moments, float[] y) {
    if (isOfColumns()) {
      new ColumnNormalization(shape).run(x, weight, bias, moments, y);
    } else if (isOfPositions()) {
      new PositionNormalization(shape).run(parallel, x, weight, bias, moments, y);
    } else {
      new RowNormalization(shape).run(parallel, x, weight, bias, moments, y);
    }
  }

  /// Computes the gradients of the values, the weight and the bias.
  public void runGradient(
      float[] x,
      float[] weight,
      Moments moments,
      float[] gradient,
      float[] xGradient,
      float[] weightGradient,
      float[] biasGradient) {
    if (isOfColumns()) {
      new ColumnNormalization(shape)
          .runGradient(x, weight, moments, gradient, xGradient, weightGradient, biasGradient);
    } else if (isOfPositions()) {
      new PositionNormalization(shape)
          .runGradient(
              parallel, x, weight, moments, gradient, xGradient, weightGradient, biasGradient);
    } else {
      new RowNormalization(shape)
          .runGradient(
              parallel, x, weight, moments, gradient, xGradient, weightGradient, biasGradient);
    }
  }
}
