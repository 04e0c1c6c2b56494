// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Every output is a weighted sum of all inputs plus a bias. After `torch.nn.Linear`.
public final class Linear extends Layer implements Forward {
  private final Tensor weight;
  private final @Nullable Tensor bias;

  /// Makes a layer from `inputs` to `outputs` values with random parameters.
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

  /// A layer without biases.
  public static Linear withoutBias(int inputs, int outputs, RandomGenerator random) {
    return new Linear(inputs, outputs, false, random);
  }

  /// This layer with biases of zero, which random parameters do not start from.
  public Linear withZeroBias() {
    if (bias != null) {
      bias.update(old -> new float[old.length]);
    }
    return this;
  }

  /// `[…, inputs]` gives `[…, outputs]`.
  ///
  /// @throws ShapeException if the shape does not fit
  @Override
  public Tensor forward(Tensor x) {
    return bias == null ? x.matmul(weight.transpose(0, 1)) : x.linear(weight, bias);
  }
}
