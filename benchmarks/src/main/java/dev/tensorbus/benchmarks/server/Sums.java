// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.server;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Layer;
import java.util.List;

/// A model whose parameters are sums of whole numbers. Each trainer adds to its own element of each
/// parameter. There are enough parameters that most servers hold some.
final class Sums extends Layer {
  private static final int PARAMETERS = 8;

  private final int trainers;

  /// Creates sums of zero.
  Sums(int trainers) {
    this.trainers = trainers;
    for (int i = 0; i < PARAMETERS; i++) {
      parameter("sum" + i, Shape.of(trainers), new float[trainers]);
    }
    to(DType.FLOAT64);
  }

  /// Sets the gradients such that a step of SGD with the learning rate 1 adds a number to the sums
  /// of a trainer.
  void add(int trainer, long number) {
    double[] gradient = new double[trainers];
    gradient[trainer] = -number;
    parameters()
        .forEach(parameter -> parameter.setGrad(Tensor.of(Shape.of(trainers), gradient.clone())));
  }

  /// Returns the sums of a trainer, which are equal unless a push was lost on its way.
  List<Long> of(int trainer) {
    return parameters().stream().map(sum -> (long) sum.doubles()[trainer]).toList();
  }
}
