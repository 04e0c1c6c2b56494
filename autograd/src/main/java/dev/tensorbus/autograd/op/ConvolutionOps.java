// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.ConvolutionShape;
import org.jspecify.annotations.Nullable;

/// Convolutions.
public final class ConvolutionOps {
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
    Compute.requireOneType("conv2d", x, weight, bias);
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
      Object x = inputs[0].storage();
      Object weight = inputs[1].storage();
      Object bias = inputs[2].storage();
      Tensor images =
          Compute.result(
              inputs[0],
              result,
              (k, y) -> {
                k.fillChannels(bias, shape.outputPixels(), y);
                k.convolution(shape, x, weight, y);
              });
      return new Result(images, new Saved(shape, inputs[0], inputs[1]));
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
        return Compute.result(
            x,
            x.shape(),
            (k, sums) ->
                k.convolutionInputGradient(shape, weight.storage(), gradient.storage(), sums));
      }

      private Tensor weightGradient(Tensor gradient) {
        return Compute.result(
            weight,
            weight.shape(),
            (k, sums) -> k.convolutionWeightGradient(shape, x.storage(), gradient.storage(), sums));
      }

      private Tensor biasGradient(Tensor gradient) {
        return Compute.result(
            gradient,
            Shape.of(shape.filters()),
            (k, sums) -> k.sumChannels(gradient.storage(), shape.outputPixels(), sums));
      }
    }
  }
}
