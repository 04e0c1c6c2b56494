// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.ConvolutionShape;
import dev.tensorbus.autograd.kernel.Kernels;
import org.jspecify.annotations.Nullable;

/// Convolutions.
public final class ConvolutionOps {
  private static final Kernels KERNELS = Kernels.best();

  private ConvolutionOps() {}

  /// See [Tensor#conv2d].
  public static Tensor conv2d(Tensor x, Tensor weight, Tensor bias) {
    requireFour("images", x.shape());
    requireFour("weight", weight.shape());
    Shape filters = weight.shape();
    if (x.shape().size(1) != filters.size(1)) {
      throw new ShapeException(
          "conv2d",
          x.shape()
              + " does not fit weight "
              + filters
              + ": "
              + x.shape().size(1)
              + " channels, "
              + filters.size(1)
              + " expected");
    }
    if (x.shape().size(2) < filters.size(2) || x.shape().size(3) < filters.size(3)) {
      throw new ShapeException("conv2d", x.shape() + " is smaller than a filter of " + filters);
    }
    if (!bias.shape().equals(Shape.of(filters.size(0)))) {
      throw new ShapeException(
          "conv2d", "bias " + bias.shape() + " does not fit weight " + filters);
    }
    return new Conv2d(shape(x.shape(), filters)).apply(x, weight, bias);
  }

  private static void requireFour(String what, Shape shape) {
    if (shape.rank() != 4) {
      throw new ShapeException(
          "conv2d", what + " " + shape + " have " + shape.rank() + " axes, not four");
    }
  }

  private static ConvolutionShape shape(Shape x, Shape weight) {
    return new ConvolutionShape(
        x.size(0), x.size(1), x.size(2), x.size(3), weight.size(0), weight.size(2), weight.size(3));
  }

  private record Conv2d(ConvolutionShape shape) implements Operation {
    @Override
    public Result forward(Tensor... inputs) {
      Shape result =
          Shape.of(shape.batch(), shape.filters(), shape.outputHeight(), shape.outputWidth());
      float[] y = new float[result.elements()];
      KERNELS.fillChannels(inputs[2].values(), shape.outputPixels(), y);
      KERNELS.convolution(shape, inputs[0].values(), inputs[1].values(), y);
      return new Result(result, y, new Saved(shape, inputs[0], inputs[1]));
    }

    private record Saved(ConvolutionShape shape, Tensor x, Tensor weight) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        return new Tensor[] {
          needed[0] ? xGradient(gradient) : null,
          needed[1] ? weightGradient(gradient) : null,
          needed[2] ? biasGradient(gradient) : null
        };
      }

      private Tensor xGradient(Tensor gradient) {
        float[] sums = new float[x.shape().elements()];
        KERNELS.convolutionInputGradient(shape, weight.values(), gradient.values(), sums);
        return Tensor.of(x.shape(), sums);
      }

      private Tensor weightGradient(Tensor gradient) {
        float[] sums = new float[weight.shape().elements()];
        KERNELS.convolutionWeightGradient(shape, x.values(), gradient.values(), sums);
        return Tensor.of(weight.shape(), sums);
      }

      private Tensor biasGradient(Tensor gradient) {
        float[] sums = new float[shape.filters()];
        KERNELS.sumChannels(gradient.values(), shape.outputPixels(), sums);
        return Tensor.of(Shape.of(sums.length), sums);
      }
    }
  }
}
