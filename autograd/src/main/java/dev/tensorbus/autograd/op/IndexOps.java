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
      float[] values = inputs[0].values();
      int classes = inputs[0].shape().size(1);
      double sum = 0;
      for (int sample = 0; sample < labels.length; sample++) {
        sum -= values[sample * classes + labels[sample]];
      }
      float[] mean = {(float) (sum / labels.length)};
      return new Result(Shape.SCALAR, mean, new Saved(inputs[0].shape(), labels));
    }

    private record Saved(Shape shape, int[] labels) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        float[] gradients = new float[shape.elements()];
        float each = -gradient.item() / labels.length;
        for (int sample = 0; sample < labels.length; sample++) {
          gradients[sample * shape.size(1) + labels[sample]] = each;
        }
        return new Tensor[] {Tensor.of(shape, gradients)};
      }
    }
  }
}
