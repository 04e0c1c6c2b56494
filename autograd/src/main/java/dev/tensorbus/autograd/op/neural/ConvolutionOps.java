// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op.neural;

import static dev.tensorbus.autograd.op.Compute.array;
import static dev.tensorbus.autograd.trace.OnnxOperator.operator;
import static dev.tensorbus.autograd.trace.OnnxValue.ints;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Sliding;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.shape.ConvolutionShape;
import dev.tensorbus.autograd.kernel.shape.Window;
import dev.tensorbus.autograd.op.Compute;
import dev.tensorbus.autograd.op.Operation;
import dev.tensorbus.autograd.trace.Application;
import dev.tensorbus.autograd.trace.OnnxOperator;
import dev.tensorbus.autograd.trace.OnnxValue;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Convolutions and transposed convolutions. A transposed convolution is the gradient of a
/// convolution with respect to its images, so the backward pass of each is the forward pass of the
/// other.
public final class ConvolutionOps {
  private ConvolutionOps() {}

  /// See [Tensor#conv2d].
  public static Tensor conv2d(Tensor x, Tensor weight, Tensor bias) {
    return conv2d(x, weight, bias, Sliding.ONE, 1);
  }

  /// See [dev.tensorbus.nn.functional.Convolutions#conv2d].
  public static Tensor conv2d(
      Tensor x, Tensor weight, @Nullable Tensor bias, Sliding sliding, int groups) {
    Shape filters = weight.shape();
    requireFour("conv2d", x.shape(), filters);
    requireGroups("conv2d", filters.size(0), groups);
    requireChannels("conv2d", x.shape(), filters, filters.size(1) * groups);
    requireBias("conv2d", bias, filters, filters.size(0));
    ConvolutionShape shape = shape(x.shape(), filters.size(0), filters, sliding, groups);
    if (shape.outputHeight() < 1 || shape.outputWidth() < 1) {
      throw new ShapeException("conv2d", x.shape() + " is smaller than a filter of " + filters);
    }
    return apply("conv2d", new Conv2d(shape), x, weight, bias);
  }

  /// See [dev.tensorbus.nn.functional.Convolutions#convTranspose2d].
  public static Tensor convTranspose2d(
      Tensor x,
      Tensor weight,
      @Nullable Tensor bias,
      Sliding sliding,
      Sliding.Pair outputPadding,
      int groups) {
    Shape filters = weight.shape();
    requireFour("convTranspose2d", x.shape(), filters);
    requireGroups("convTranspose2d", filters.size(0), groups);
    requireChannels("convTranspose2d", x.shape(), filters, filters.size(0));
    int channels = filters.size(1) * groups;
    requireBias("convTranspose2d", bias, filters, channels);
    requireOutputPadding(sliding, outputPadding);
    Sliding.Pair stride = sliding.stride();
    // Appending a zero to the input enlarges the output by one stride and has no other effect.
    Tensor higher = lengthened(x, 2, outputPadding.rows() / stride.rows());
    Tensor images = lengthened(higher, 3, outputPadding.columns() / stride.columns());
    Shape result =
        Shape.of(
            images.shape().size(0),
            channels,
            (images.shape().size(2) - 1) * stride.rows()
                + reach(filters.size(2), sliding.dilation().rows())
                - 2 * sliding.padding().rows()
                + outputPadding.rows() % stride.rows(),
            (images.shape().size(3) - 1) * stride.columns()
                + reach(filters.size(3), sliding.dilation().columns())
                - 2 * sliding.padding().columns()
                + outputPadding.columns() % stride.columns());
    ConvolutionShape shape = shape(result, filters.size(0), filters, sliding, groups);
    return apply("convTranspose2d", new ConvTranspose2d(shape), images, weight, bias);
  }

  private static Tensor lengthened(Tensor x, int axis, int zeros) {
    return zeros == 0 ? x : x.pad(axis, 0, zeros, 0);
  }

  private static void requireOutputPadding(Sliding sliding, Sliding.Pair outputPadding) {
    int rows = Math.max(sliding.stride().rows(), sliding.dilation().rows());
    int columns = Math.max(sliding.stride().columns(), sliding.dilation().columns());
    boolean fits =
        outputPadding.rows() >= 0
            && outputPadding.columns() >= 0
            && outputPadding.rows() < rows
            && outputPadding.columns() < columns;
    if (!fits) {
      throw new ShapeException(
          "convTranspose2d",
          "an output padding of %s does not fit stride %s and dilation %s; expected at least"
                  .formatted(outputPadding, sliding.stride(), sliding.dilation())
              + " 0, and less than one of them, on each axis");
    }
  }

  private static int reach(int kernel, int dilation) {
    return (kernel - 1) * dilation + 1;
  }

  private static void requireFour(String operation, Shape images, Shape weight) {
    if (images.rank() != 4 || weight.rank() != 4) {
      boolean first = images.rank() != 4;
      throw new ShapeException(
          operation,
          "%s %s have %d axes, not four"
              .formatted(
                  first ? "images" : "weight",
                  first ? images : weight,
                  first ? images.rank() : weight.rank()));
    }
  }

  private static void requireGroups(String operation, int filters, int groups) {
    if (groups < 1 || filters % groups != 0) {
      throw new ShapeException(
          operation, filters + " filters cannot be divided into " + groups + " groups");
    }
  }

  private static void requireChannels(String operation, Shape images, Shape weight, int expected) {
    if (images.size(1) != expected) {
      throw new ShapeException(
          operation,
          "%s does not fit weight %s: %d channels, %d expected"
              .formatted(images, weight, images.size(1), expected));
    }
  }

  private static void requireBias(
      String operation, @Nullable Tensor bias, Shape weight, int channels) {
    if (bias != null && !bias.shape().equals(Shape.of(channels))) {
      throw new ShapeException(
          operation, "bias " + bias.shape() + " does not fit weight " + weight);
    }
  }

  private static ConvolutionShape shape(
      Shape images, int filters, Shape weight, Sliding sliding, int groups) {
    return new ConvolutionShape(
        images.size(0),
        images.size(1),
        filters,
        groups,
        new Window(
            images.size(2),
            weight.size(2),
            sliding.stride().rows(),
            sliding.padding().rows(),
            sliding.dilation().rows()),
        new Window(
            images.size(3),
            weight.size(3),
            sliding.stride().columns(),
            sliding.padding().columns(),
            sliding.dilation().columns()));
  }

  private static Tensor apply(
      String name, Operation operation, Tensor x, Tensor weight, @Nullable Tensor bias) {
    Tensor[] inputs = Stream.of(x, weight, bias).filter(Objects::nonNull).toArray(Tensor[]::new);
    Compute.requireOneType(name, inputs);
    return operation.apply(inputs);
  }

  private static @Nullable Object bias(Tensor... inputs) {
    return inputs.length > 2 ? array(inputs[2]) : null;
  }

  private record Conv2d(ConvolutionShape shape) implements Operation {
    @Override
    public Tensor value(Tensor... inputs) {
      return Compute.result(
          inputs[0],
          Shape.of(shape.batch(), shape.filters(), shape.outputHeight(), shape.outputWidth()),
          (k, values) -> {
            Object bias = bias(inputs);
            k.convolution(shape, array(inputs[0]), array(inputs[1]), bias, values);
          });
    }

    @Override
    public Derivative derivative(Application of) {
      return new Conv2d.Saved(shape, of.input(0), of.input(1));
    }

    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      return sliding(operator("Conv"), shape).of(inputs);
    }

    private record Saved(ConvolutionShape shape, Tensor x, Tensor weight) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        return gradients(
            needed,
            needed[0] ? new ConvTranspose2d(shape).inBackward(gradient, weight) : null,
            needed[1] ? byWeight(shape, x, gradient, weight.shape()) : null,
            gradient);
      }
    }
  }

  private record ConvTranspose2d(ConvolutionShape shape) implements Operation {
    @Override
    public Tensor value(Tensor... inputs) {
      return Compute.result(
          inputs[0],
          Shape.of(shape.batch(), shape.channels(), shape.height(), shape.width()),
          (k, values) -> {
            Object bias = bias(inputs);
            Object gradient = array(inputs[0]);
            k.convolutionInputGradient(shape, array(inputs[1]), gradient, bias, values);
          });
    }

    @Override
    public Derivative derivative(Application of) {
      return new ConvTranspose2d.Saved(shape, of.input(0), of.input(1));
    }

    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      return sliding(operator("ConvTranspose"), shape)
          .with("output_padding", shape.rows().rest(), shape.columns().rest())
          .of(inputs);
    }

    private record Saved(ConvolutionShape shape, Tensor x, Tensor weight) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        return gradients(
            needed,
            needed[0] ? new Conv2d(shape).inBackward(gradient, weight) : null,
            needed[1] ? byWeight(shape, gradient, x, weight.shape()) : null,
            gradient);
      }
    }
  }

  private static Tensor byWeight(
      ConvolutionShape shape, Tensor images, Tensor results, Shape weight) {
    return new WeightGradient(shape, weight).inBackward(images, results);
  }

  /// The gradient of both kinds of convolution with respect to the weight. For a convolution, the
  /// inputs are the images and the gradient of the results; for a transposed convolution, they are
  /// the gradient of the results and the images.
  private record WeightGradient(ConvolutionShape shape, Shape weight) implements Operation {
    @Override
    public Tensor value(Tensor... inputs) {
      Object images = array(inputs[0]);
      Object results = array(inputs[1]);
      return Compute.result(
          inputs[0],
          weight,
          (k, sums) -> k.convolutionWeightGradient(shape, images, results, sums));
    }

    @Override
    public Derivative derivative(Application of) {
      Tensor images = of.input(0);
      Tensor results = of.input(1);
      return (gradient, needed) ->
          new @Nullable Tensor[] {
            needed[0] ? new ConvTranspose2d(shape).inBackward(results, gradient) : null,
            needed[1] ? new Conv2d(shape).inBackward(images, gradient) : null
          };
    }

    /// A convolution whose filters are the results and which sums over the batch instead of the
    /// channels. The filters move by the dilation, and their values are a stride apart.
    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      Window rows = shape.rows();
      Window columns = shape.columns();
      int groups = shape.groups();
      OnnxValue images =
          inputs[0].reshaped(
              Shape.of(
                  shape.batch(), groups, shape.groupChannels(), shape.height(), shape.width()));
      OnnxValue byChannel =
          operator("Transpose")
              .with("perm", 2, 1, 0, 3, 4)
              .of(images)
              .reshaped(
                  Shape.of(
                      shape.groupChannels(),
                      groups * shape.batch(),
                      shape.height(),
                      shape.width()));
      OnnxOperator swap = operator("Transpose").with("perm", 1, 0, 2, 3);
      OnnxValue sums =
          operator("Conv")
              .with("group", groups)
              .with("kernel_shape", rows.outputs(), columns.outputs())
              .with("strides", rows.dilation(), columns.dilation())
              .with("pads", rows.padding(), columns.padding(), rows.padding(), columns.padding())
              .with("dilations", rows.stride(), columns.stride())
              .of(byChannel, swap.of(inputs[1]));
      // Where another stride does not fit, the filters reach further than the weight does.
      OnnxValue taps =
          operator("Slice").of(sums, ints(0, 0), ints(rows.kernel(), columns.kernel()), ints(2, 3));
      return swap.of(taps);
    }
  }

  /// Returns an operator with the attributes that a convolution and its transpose share.
  private static OnnxOperator sliding(OnnxOperator operator, ConvolutionShape shape) {
    Window rows = shape.rows();
    Window columns = shape.columns();
    return operator
        .with("group", shape.groups())
        .with("kernel_shape", rows.kernel(), columns.kernel())
        .with("strides", rows.stride(), columns.stride())
        .with("pads", rows.padding(), columns.padding(), rows.padding(), columns.padding())
        .with("dilations", rows.dilation(), columns.dilation());
  }

  /// Returns the gradients of both inputs and, if the operation has a bias, of the bias.
  private static @Nullable Tensor[] gradients(
      boolean[] needed, @Nullable Tensor x, @Nullable Tensor weight, Tensor gradient) {
    if (needed.length == 2) {
      return new Tensor[] {x, weight};
    }
    return new Tensor[] {x, weight, needed[2] ? gradient.sum(0, 2, 3) : null};
  }
}
