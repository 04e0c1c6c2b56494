// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import java.util.random.RandomGenerator;

/// Filters that slide over images, stride 1, no padding. After `torch.nn.Conv2d`.
public final class Conv2d extends Layer {
  private final Tensor weight;
  private final Tensor bias;

  /// Makes `filters` square filters with sides of `kernel` and random parameters.
  public Conv2d(int channels, int filters, int kernel, RandomGenerator random) {
    Shape shape = Shape.of(filters, channels, kernel, kernel);
    int fanIn = channels * kernel * kernel;
    weight = parameter("weight", shape, Initial.uniform(shape.elements(), fanIn, random));
    bias = parameter("bias", Shape.of(filters), Initial.uniform(filters, fanIn, random));
  }

  /// `[n, channels, h, w]` gives `[n, filters, h - kernel + 1, w - kernel + 1]`.
  public Tensor forward(Tensor images) {
    return images.conv2d(weight, bias);
  }
}
