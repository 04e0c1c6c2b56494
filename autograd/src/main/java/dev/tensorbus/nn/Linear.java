// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A fully connected layer: each output is a weighted sum of all inputs, plus a bias. Like
/// `torch.nn.Linear`.
public final class Linear extends Layer implements Forward {
  private final Tensor weight;
  private final @Nullable Tensor bias;

  /// Creates a layer that maps `inputs` to `outputs` values, with random parameters.
  public Linear(int inputs, int outputs, RandomGenerator random) {
    this(inputs, outputs, true, random);
  }

  private Linear(int inputs, int outputs, boolean hasBias, RandomGenerator random) {
    Shape shape = Shape.of(outputs, inputs);
    weight = parameter("weight", shape, Initializers.uniform(shape.elements(), inputs, random));
    bias =
        hasBias
            ? parameter("bias", Shape.of(outputs), Initializers.uniform(outputs, inputs, random))
            : null;
  }

  /// Creates a layer without a bias.
  public static Linear withoutBias(int inputs, int outputs, RandomGenerator random) {
    return new Linear(inputs, outputs, false, random);
  }

  /// Sets the bias to zero, in place of its random initial values, and returns this layer.
  public Linear withZeroBias() {
    if (bias != null) {
      bias.update(old -> new float[old.length]);
    }
    return this;
  }

  Tensor weight() {
    return weight;
  }

  /// Computes `[…, outputs]` from `[…, inputs]`.
  ///
  /// @throws ShapeException if the shape is incompatible with this layer
  @Override
  public Tensor forward(Tensor x) {
    return bias == null ? x.matmul(weight.transpose(0, 1)) : x.linear(weight, bias);
  }
}
