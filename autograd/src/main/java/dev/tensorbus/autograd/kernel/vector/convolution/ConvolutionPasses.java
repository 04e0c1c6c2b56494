// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.convolution;

import dev.tensorbus.autograd.kernel.Parallel;
import dev.tensorbus.autograd.kernel.Scratch;
import dev.tensorbus.autograd.kernel.shape.ConvolutionShape;
import dev.tensorbus.autograd.kernel.shape.Window;
import org.jspecify.annotations.Nullable;

/// The forward pass of a convolution and the passes for its two gradients. Each uses the kernel
/// that suits the shape.
public record ConvolutionPasses(Parallel parallel, ConvolutionShape shape) {
  /// Flipping this many filter values makes waking another thread worthwhile.
  private static final int FLIPPED = 1 << 14;

  /// Computes the results.
  public void run(float[] x, float[] weight, float @Nullable [] bias, float[] y) {
    if (VectorWinograd.suits(shape)
        && new VectorWinograd(parallel, shape).run(x, weight, bias, y)) {
      return;
    }
    if (DirectConvolution.suits(shape)) {
      new DirectConvolution(parallel, shape).run(x, weight, bias, y);
    } else {
      new VectorConvolution(parallel, shape).run(x, weight, bias, y);
    }
  }

  /// Computes the gradients of the inputs.
  public void runInputGradient(
      float[] weight, float[] gradient, float @Nullable [] bias, float[] xGradient) {
    if (isConvolution(shape.rows()) && isConvolution(shape.columns())) {
      runByFlippedFilters(weight, gradient, bias, xGradient);
    } else if (DirectConvolution.suits(shape)) {
      new DirectConvolution(parallel, shape).runInputGradient(weight, gradient, bias, xGradient);
    } else {
      new VectorInputGradient(parallel, shape).run(weight, gradient, bias, xGradient);
    }
  }

  /// Returns whether the input gradient along this axis is itself a convolution, with flipped
  /// filters: the stride must be 1 and the padding smaller than the extent of the window.
  private static boolean isConvolution(Window window) {
    return window.stride() == 1 && window.padding() < window.reach();
  }

  /// Convolves the gradients of the results with the flipped filters. Channels and filters are
  /// exchanged.
  private void runByFlippedFilters(
      float[] weight, float[] gradient, float @Nullable [] bias, float[] xGradient) {
    ConvolutionShape flipped =
        new ConvolutionShape(
            shape.batch(),
            /* channels= */ shape.filters(),
            /* filters= */ shape.channels(),
            shape.groups(),
            flipped(shape.rows()),
            flipped(shape.columns()));
    Scratch.borrow(
        weight.length,
        values -> {
          parallel.divide(
              shape.channels(),
              Math.max(1, FLIPPED / Math.max(1, flipped.filterSize())),
              (first, end) -> {
                for (int channel = first; channel < end; channel++) {
                  flip(weight, channel, values);
                }
              });
          new ConvolutionPasses(parallel, flipped).run(gradient, values, bias, xGradient);
        });
  }

  private static Window flipped(Window window) {
    return new Window(
        window.outputs(),
        window.kernel(),
        1,
        window.reach() - 1 - window.padding(),
        window.dilation());
  }

  private void flip(float[] weight, int channel, float[] target) {
    int taps = shape.taps();
    int group = channel / shape.groupChannels();
    int from = group * shape.groupFilters() * shape.filterSize();
    from += channel % shape.groupChannels() * taps + taps - 1;
    int to = channel * shape.groupFilters() * taps;
    for (int filter = 0; filter < shape.groupFilters(); filter++) {
      for (int tap = 0; tap < taps; tap++) {
        target[to + tap] = weight[from - tap];
      }
      from += shape.filterSize();
      to += taps;
    }
  }

  /// Computes the gradients of the weights.
  public void runWeightGradient(float[] x, float[] gradient, float[] weightGradient) {
    if (WinogradWeightGradient.suits(shape)
        && new WinogradWeightGradient(parallel, shape).run(x, gradient, weightGradient)) {
      return;
    }
    if (DirectConvolution.suits(shape)) {
      new DirectConvolution(parallel, shape).runWeightGradient(x, gradient, weightGradient);
    } else {
      new VectorWeightGradient(parallel, shape).run(x, gradient, weightGradient);
    }
  }
}
