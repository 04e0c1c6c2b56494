// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import java.util.random.RandomGenerator;

/// Every output is a weighted sum of all inputs plus a bias. After `torch.nn.Linear`.
public final class Linear extends Layer {
  private final Tensor weight;
  private final Tensor bias;

  /// Makes a layer from `inputs` to `outputs` values with random parameters.
  public Linear(int inputs, int outputs, RandomGenerator random) {
    weight =
        parameter(
            "weight", Shape.of(outputs, inputs), Initial.uniform(outputs * inputs, inputs, random));
    bias = parameter("bias", Shape.of(outputs), Initial.uniform(outputs, inputs, random));
  }

  /// This layer with biases of zero, which random parameters do not start from.
  public Linear withZeroBias() {
    bias.update(old -> new float[old.length]);
    return this;
  }

  /// `[n, inputs]` gives `[n, outputs]`.
  public Tensor forward(Tensor x) {
    return x.linear(weight, bias);
  }
}
