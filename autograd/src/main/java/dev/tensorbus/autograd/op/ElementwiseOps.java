// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.Kernels;
import org.jspecify.annotations.Nullable;

/// Operations that treat each value by itself.
public final class ElementwiseOps {
  private static final Kernels KERNELS = Kernels.best();

  private ElementwiseOps() {}

  /// See [Tensor#add].
  public static Tensor add(Tensor a, Tensor b) {
    if (!a.shape().equals(b.shape())) {
      throw new ShapeException("add", a.shape() + " and " + b.shape() + " differ");
    }
    return new Add().apply(a, b);
  }

  private record Add() implements Operation {
    @Override
    public Result forward(Tensor... inputs) {
      float[] sum = new float[inputs[0].shape().elements()];
      KERNELS.add(inputs[0].values(), inputs[1].values(), sum);
      return new Result(
          inputs[0].shape(), sum, (gradient, needed) -> new Tensor[] {gradient, gradient});
    }
  }

  /// See [Tensor#relu].
  public static Tensor relu(Tensor x) {
    return new Relu().apply(x);
  }

  private record Relu() implements Operation {
    @Override
    public Result forward(Tensor... inputs) {
      float[] output = new float[inputs[0].shape().elements()];
      KERNELS.relu(inputs[0].values(), output);
      return new Result(inputs[0].shape(), output, new Saved(output));
    }

    private record Saved(float[] output) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        float[] gradients = new float[output.length];
        KERNELS.reluGradient(output, gradient.values(), gradients);
        return new Tensor[] {Tensor.of(gradient.shape(), gradients)};
      }
    }
  }
}
