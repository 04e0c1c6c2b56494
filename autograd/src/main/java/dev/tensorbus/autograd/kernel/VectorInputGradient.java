// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

import static dev.tensorbus.autograd.kernel.Tile.COLUMNS;
import static dev.tensorbus.autograd.kernel.Tile.ROWS;

import java.util.Arrays;

/// The derivative of a convolution by its images, as products of packed panels, one image a task.
///
/// It is summed in a turned image, in which the channels of a pixel lie side by side. There a
/// tile of neighbouring pixels of a result's row, one tap and some channels belongs to
/// neighbouring pixels of the image: it is added in place, and no matrix of all taps has to be
/// stored and summed.
final class VectorInputGradient {
  private final Parallel parallel;
  private final ConvolutionShape shape;

  /// Channels, in whole tiles.
  private final int channels;

  /// Pixels of one row of a result, in whole tiles.
  private final int width;

  VectorInputGradient(Parallel parallel, ConvolutionShape shape) {
    this.parallel = parallel;
    this.shape = shape;
    this.channels = Panels.padded(shape.channels(), COLUMNS);
    this.width = Panels.padded(shape.outputWidth(), ROWS);
  }

  /// See [Kernels#convolutionInputGradient].
  void run(float[] weight, float[] gradient, float[] xGradient) {
    Scratch.borrow(
        shape.taps() * channels * shape.filters(),
        taps -> {
          packTaps(weight, taps);
          parallel.run(shape.batch(), image -> image(image, taps, gradient, xGradient));
        });
  }

  /// Packs the filters' values for each tap by itself: columns are channels, p are filters.
  private void packTaps(float[] weight, float[] target) {
    for (int tap = 0; tap < shape.taps(); tap++) {
      Lines lines = new Lines(weight, tap, shape.taps(), shape.filterSize());
      int at = tap * channels * shape.filters();
      Panels.packAll(lines, shape.channels(), shape.filters(), COLUMNS, target, at);
    }
  }

  private void image(int image, float[] taps, float[] gradient, float[] xGradient) {
    int turned = shape.pixels() * channels;
    int packed = shape.outputHeight() * width * shape.filters();
    Scratch.borrow(
        turned,
        sums ->
            Scratch.borrow(
                packed,
                pixels -> {
                  packPixels(image, gradient, pixels);
                  Arrays.fill(sums, 0, turned, 0f);
                  addTaps(pixels, taps, sums);
                  turnBack(image, sums, xGradient);
                }));
  }

  /// Packs the gradient row by row: rows of the product are pixels, p are filters.
  private void packPixels(int image, float[] gradient, float[] target) {
    int pixels = shape.outputPixels();
    for (int row = 0; row < shape.outputHeight(); row++) {
      int start = image * shape.filters() * pixels + row * shape.outputWidth();
      Lines lines = new Lines(gradient, start, 1, pixels);
      int at = row * width * shape.filters();
      Panels.packAll(lines, shape.outputWidth(), shape.filters(), ROWS, target, at);
    }
  }

  /// Each panel of a tap stays in the first-level cache while all pixels pass by.
  private void addTaps(float[] pixels, float[] taps, float[] sums) {
    for (int tap = 0; tap < shape.taps(); tap++) {
      int corner = tap / shape.kernelWidth() * shape.width() + tap % shape.kernelWidth();
      for (int channel = 0; channel < channels; channel += COLUMNS) {
        int panel = (tap * channels + channel) * shape.filters();
        for (int row = 0; row < shape.outputHeight(); row++) {
          int at = (corner + row * shape.width()) * channels + channel;
          addRow(pixels, row * width * shape.filters(), taps, panel, sums, at);
        }
      }
    }
  }

  private void addRow(float[] pixels, int start, float[] taps, int panel, float[] sums, int at) {
    int depth = shape.filters();
    for (int column = 0; column < shape.outputWidth(); column += ROWS) {
      int a = start + column * depth;
      int c = at + column * channels;
      int present = shape.outputWidth() - column;
      Tile.multiplyAddPart(depth, pixels, a, taps, panel, sums, c, channels, present, COLUMNS);
    }
  }

  private void turnBack(int image, float[] sums, float[] xGradient) {
    Lines pixels = new Lines(sums, 0, channels, 1);
    int at = image * shape.channels() * shape.pixels();
    Panels.pack(pixels, shape.pixels(), shape.channels(), shape.pixels(), xGradient, at);
  }
}
