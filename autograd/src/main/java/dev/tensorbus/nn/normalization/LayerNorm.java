// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.normalization;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Initializers;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.functional.Normalizations;

/// Normalizes over the last axes. Like `torch.nn.LayerNorm`.
public final class LayerNorm extends Layer implements Forward {
  private final Tensor weight;
  private final Tensor bias;

  /// Creates a layer for inputs whose last axes have the given sizes.
  public LayerNorm(int... sizes) {
    Shape shape = Shape.of(sizes);
    weight = parameter("weight", shape, Initializers.ones(shape.elements()));
    bias = parameter("bias", shape, new float[shape.elements()]);
  }

  /// Returns a tensor of the same shape.
  ///
  /// @throws ShapeException if the last axes have different sizes
  @Override
  public Tensor forward(Tensor x) {
    return Normalizations.layerNorm(x, weight, bias, Normalizations.EPSILON);
  }
}
