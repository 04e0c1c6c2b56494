// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

import dev.tensorbus.autograd.kernel.shape.ConvolutionShape;
import dev.tensorbus.autograd.kernel.shape.Window;

/// Convolutions, and their gradients by images and by filters.
final class ConvolutionComparison extends Comparison {
  ConvolutionComparison(Kernels expected, Kernels actual, float tolerance, long seed) {
    super(expected, actual, tolerance, seed);
  }

  @Override
  void run() {
    convolutions(new ConvolutionShape(3, 1, 28, 28, 32, 3, 3));
    convolutions(new ConvolutionShape(2, 32, 26, 26, 64, 3, 3));
    convolutions(new ConvolutionShape(2, 40, 5, 40, 3, 3, 3));
    convolutions(new ConvolutionShape(5, 3, 9, 11, 7, 2, 4));
    convolutions(new ConvolutionShape(1, 1, 1, 1, 1, 1, 1));
    convolutions(new ConvolutionShape(2, 3, 4, 4, 9, 4, 4));
    convolutions(new ConvolutionShape(0, 3, 4, 4, 9, 4, 4));
    // Several small images in one task, the last one of fewer, and filters in several blocks.
    convolutions(new ConvolutionShape(37, 33, 6, 5, 3, 3, 3));
    // Several panels of few filter values packed together.
    convolutions(new ConvolutionShape(2, 9, 15, 17, 20, 1, 1));
    // Channels of the filters' gradient in several parts.
    convolutions(new ConvolutionShape(3, 64, 4, 4, 500, 3, 3));
    filtersOfThreeByThree();
    depthwiseFilters();
    windows(Window.of(9, 3), Window.of(40, 3));
    windows(new Window(8, 3, 1, 1, 1), new Window(41, 3, 1, 1, 1));
    windows(new Window(1, 1, 1, 0, 1), new Window(70, 5, 2, 2, 1));
    windows(new Window(17, 1, 1, 0, 1), new Window(9, 1, 1, 0, 1));
    windows(new Window(7, 4, 3, 2, 1), new Window(50, 2, 3, 5, 1));
    windows(new Window(9, 3, 2, 1, 2), new Window(39, 4, 2, 2, 3));
    windows(new Window(3, 2, 5, 3, 1), new Window(2, 2, 4, 3, 2));
  }

  @Override
  void runLarge() {
    convolutions(new ConvolutionShape(33, 5, 20, 20, 10, 3, 3));
    Window across = new Window(20, 3, 2, 1, 1);
    convolutions(new ConvolutionShape(1, 5, 10, 1, across, new Window(40, 3, 1, 1, 1)));
    convolutions(new ConvolutionShape(17, 6, 9, 3, across, across));
    convolutions(new ConvolutionShape(17, 6, 6, 6, across, across));
    Window step = new Window(8, 3, 1, 1, 1);
    convolutions(new ConvolutionShape(9, 64, 64, 1, step, step));
  }

  /// Images with many channels, of which several or one make a task, and values that spread.
  private void filtersOfThreeByThree() {
    Window padded = new Window(14, 3, 1, 1, 1);
    convolutions(new ConvolutionShape(5, 64, 70, 1, padded, padded));
    convolutions(new ConvolutionShape(1, 128, 128, 2, Window.of(40, 3), Window.of(18, 3)));
    // Channels and filters in several parts, and images in shares of two sizes.
    Window small = new Window(8, 3, 1, 1, 1);
    convolutions(new ConvolutionShape(9, 128, 256, 1, small, small));
    ConvolutionShape shape = new ConvolutionShape(3, 64, 64, 1, padded, padded);
    float[] x = randoms(shape.batch() * shape.channels() * shape.pixels());
    x[1000] = Float.NaN;
    x[20_000] = Float.POSITIVE_INFINITY;
    convolutions(shape, x);
  }

  /// Rows of about one, two and four vectors of any width, one or two filters for each channel, and
  /// values that spread.
  private void depthwiseFilters() {
    for (int width : new int[] {3, 4, 5, 8, 9, 16, 17, 31, 32, 33, 64, 65}) {
      Window rows = new Window(1 + width % 5, 3, 1, 1, 1);
      convolutions(new ConvolutionShape(2, 3, 6, 3, rows, new Window(width, 3, 1, 1, 1)));
      convolutions(new ConvolutionShape(2, 3, 3, 3, Window.of(7, 3), Window.of(width, 3)));
    }
    Window padded = new Window(20, 3, 1, 1, 1);
    ConvolutionShape shape = new ConvolutionShape(2, 4, 4, 4, padded, padded);
    float[] x = randoms(shape.batch() * shape.channels() * shape.pixels());
    x[19] = Float.NaN;
    x[500] = Float.POSITIVE_INFINITY;
    x[901] = Float.NEGATIVE_INFINITY;
    x[1300] = -0f;
    x[1700] = Float.MIN_VALUE;
    convolutions(shape, x);
  }

  /// Few and many channels and filters, in one group and several.
  private void windows(Window rows, Window columns) {
    convolutions(new ConvolutionShape(2, 3, 5, 1, rows, columns));
    convolutions(new ConvolutionShape(1, 34, 18, 2, rows, columns));
    convolutions(new ConvolutionShape(2, 5, 5, 5, rows, columns));
    convolutions(new ConvolutionShape(2, 6, 6, 3, rows, columns));
  }

  private void convolutions(ConvolutionShape shape) {
    convolutions(shape, randoms(shape.batch() * shape.channels() * shape.pixels()));
  }

  private void convolutions(ConvolutionShape shape, float[] x) {
    float[] weight = randoms(shape.filters() * shape.filterSize());
    int outputs = shape.batch() * shape.filters() * shape.outputPixels();
    float[] gradient = randoms(outputs);
    float[] bias = randoms(shape.filters());
    float[] xBias = randoms(shape.channels());
    compare(
        shape.toString(),
        shape.filterSize(),
        outputs,
        (k, y) -> k.convolution(shape, x, weight, bias, y));
    compare(
        shape + " by input",
        shape.groupFilters() * shape.taps(),
        x.length,
        (k, y) -> k.convolutionInputGradient(shape, weight, gradient, xBias, y));
    compare(
        shape + " by weight",
        shape.batch() * shape.outputPixels(),
        weight.length,
        (k, y) -> k.convolutionWeightGradient(shape, x, gradient, y));
  }
}
