// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import org.jspecify.annotations.Nullable;

/// Operations that pick values by index.
public final class IndexOps {
  private IndexOps() {}

  /// See [dev.tensorbus.autograd.Losses#nllLoss].
  public static Tensor nllLoss(Tensor logProbabilities, int[] labels) {
    Shape shape = logProbabilities.shape();
    if (shape.rank() != 2) {
      throw new ShapeException("nllLoss", shape + " is not [samples, classes]");
    }
    if (shape.size(0) != labels.length || labels.length == 0) {
      throw new ShapeException("nllLoss", shape + " does not fit " + labels.length + " labels");
    }
    Compute.requireFloating("nllLoss", logProbabilities);
    int[] own = labels.clone();
    for (int sample = 0; sample < own.length; sample++) {
      if (own[sample] < 0 || own[sample] >= shape.size(1)) {
        throw new IllegalArgumentException(
            "nllLoss: label "
                + own[sample]
                + " of sample "
                + sample
                + " is not in [0, "
                + shape.size(1)
                + ")");
      }
    }
    return new NllLoss(own).apply(logProbabilities);
  }

  private record NllLoss(int[] labels) implements Operation {
    @Override
    public Result forward(Tensor... inputs) {
      Tensor x = inputs[0];
      int[] positions = labels.clone();
      for (int sample = 0; sample < labels.length; sample++) {
        positions[sample] += sample * x.shape().size(1);
      }
      Tensor taken =
          Compute.result(x, Shape.of(labels.length), (k, y) -> k.take(positions, x.storage(), y));
      double mean = -Compute.kernels(x).sum(taken.storage()) / labels.length;
      return new Result(
          Tensor.full(Shape.SCALAR, x.dtype(), mean), new Saved(x.shape(), positions));
    }

    private record Saved(Shape shape, int[] positions) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        double each = -gradient.itemDouble() / positions.length;
        Tensor taken = Tensor.full(Shape.of(positions.length), gradient.dtype(), each);
        return new Tensor[] {
          Compute.result(gradient, shape, (k, dx) -> k.addAt(positions, taken.storage(), dx))
        };
      }
    }
  }
}
