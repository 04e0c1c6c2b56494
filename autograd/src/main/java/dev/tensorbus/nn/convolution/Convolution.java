// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.convolution;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Initializers;
import dev.tensorbus.nn.Layer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The base class of convolutions, with filters and optional biases.
abstract class Convolution extends Layer {
  final ConvolutionOptions options;
  final Tensor weight;
  final @Nullable Tensor bias;

  Convolution(ConvolutionOptions options, Shape shape, RandomGenerator random) {
    this.options = options;
    // As in torch, the product of all sizes but the first, even for transposed convolutions.
    int fanIn = shape.elements() / Math.max(1, shape.size(0));
    this.weight = parameter("weight", shape, Initializers.uniform(shape.elements(), fanIn, random));
    Shape filters = Shape.of(options.filters());
    this.bias =
        options.hasBias()
            ? parameter("bias", filters, Initializers.uniform(filters.elements(), fanIn, random))
            : null;
  }
}
