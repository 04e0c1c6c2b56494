// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

import static dev.tensorbus.autograd.kernel.Tile.COLUMNS;
import static dev.tensorbus.autograd.kernel.Tile.ROWS;

import java.util.Arrays;

/// The derivative of a convolution by its images, as products of packed panels, one group of one
/// image a task.
///
/// It is summed in a turned image, in which the channels of a pixel lie side by side, with the
/// padding around it. There a tile of neighbouring pixels of a result's row, one tap and some
/// channels belongs to pixels of the image that are one stride apart: it is added in place, and
/// no matrix of all taps has to be stored and summed.
final class VectorInputGradient {
  private final Parallel parallel;
  private final ConvolutionShape shape;

  /// Channels and filters of a group: columns and depth of the product.
  private final int channels;

  private final int filters;

  /// Channels in whole tiles.
  private final int paddedChannels;

  /// Pixels of one row of a result, in whole tiles.
  private final int width;

  VectorInputGradient(Parallel parallel, ConvolutionShape shape) {
    this.parallel = parallel;
    this.shape = shape;
    this.channels = shape.groupChannels();
    this.filters = shape.groupFilters();
    this.paddedChannels = Panels.padded(channels, COLUMNS);
    this.width = Panels.padded(shape.outputWidth(), ROWS);
  }

  /// See [Kernels#convolutionInputGradient].
  void run(float[] weight, float[] gradient, float[] xGradient) {
    int size = shape.taps() * paddedChannels * filters;
    Scratch.borrow(
        shape.groups() * size,
        taps -> {
          for (int group = 0; group < shape.groups(); group++) {
            packTaps(weight, group * filters * shape.filterSize(), taps, group * size);
          }
          parallel.run(
              shape.batch() * shape.groups(),
              task -> image(task, taps, task % shape.groups() * size, gradient, xGradient));
        });
  }

  /// Packs a group's filters for each tap by itself: columns are channels, p are filters.
  private void packTaps(float[] weight, int start, float[] target, int at) {
    for (int tap = 0; tap < shape.taps(); tap++) {
      Lines lines = new Lines(weight, start + tap, shape.taps(), shape.filterSize());
      int to = at + tap * paddedChannels * filters;
      Panels.packAll(lines, channels, filters, COLUMNS, target, to);
    }
  }

  private void image(int task, float[] taps, int group, float[] gradient, float[] xGradient) {
    int start = shape.outputStart(task / shape.groups(), task % shape.groups());
    int target = shape.imageStart(task / shape.groups(), task % shape.groups());
    int turned = shape.rows().padded() * shape.columns().padded() * paddedChannels;
    Scratch.borrow(
        turned,
        sums ->
            Scratch.borrow(
                shape.outputHeight() * width * filters,
                pixels -> {
                  packPixels(gradient, start, pixels);
                  Arrays.fill(sums, 0, turned, 0f);
                  addTaps(pixels, taps, group, sums);
                  addTurnedBack(sums, xGradient, target);
                }));
  }

  /// Packs the gradient row by row: rows of the product are pixels, p are filters.
  private void packPixels(float[] gradient, int start, float[] target) {
    for (int row = 0; row < shape.outputHeight(); row++) {
      int from = start + row * shape.outputWidth();
      Lines lines = new Lines(gradient, from, 1, shape.outputPixels());
      int at = row * width * filters;
      Panels.packAll(lines, shape.outputWidth(), filters, ROWS, target, at);
    }
  }

  /// Each panel of a tap stays in the first-level cache while all pixels pass by.
  private void addTaps(float[] pixels, float[] taps, int group, float[] sums) {
    int kernelWidth = shape.columns().kernel();
    for (int tap = 0; tap < shape.taps(); tap++) {
      int top = tap / kernelWidth * shape.rows().dilation();
      int left = tap % kernelWidth * shape.columns().dilation();
      for (int channel = 0; channel < paddedChannels; channel += COLUMNS) {
        int panel = group + (tap * paddedChannels + channel) * filters;
        for (int row = 0; row < shape.outputHeight(); row++) {
          int pixel = (top + row * shape.rows().stride()) * shape.columns().padded() + left;
          int corner = pixel * paddedChannels + channel;
          addRow(pixels, row * width * filters, taps, panel, sums, corner);
        }
      }
    }
  }

  private void addRow(float[] pixels, int start, float[] taps, int panel, float[] sums, int at) {
    int stride = shape.columns().stride() * paddedChannels;
    for (int column = 0; column < shape.outputWidth(); column += ROWS) {
      int a = start + column * filters;
      int c = at + column * stride;
      int present = shape.outputWidth() - column;
      Tile.multiplyAddPart(filters, pixels, a, taps, panel, sums, c, stride, present, COLUMNS);
    }
  }

  /// Adds the sums, without the padding around them, to the image's channels.
  private void addTurnedBack(float[] sums, float[] xGradient, int target) {
    Window columns = shape.columns();
    for (int row = 0; row < shape.height(); row++) {
      int pixel = (row + shape.rows().padding()) * columns.padded() + columns.padding();
      for (int channel = 0; channel < channels; channel++) {
        int at = target + channel * shape.pixels() + row * shape.width();
        int from = pixel * paddedChannels + channel;
        for (int column = 0; column < shape.width(); column++) {
          xGradient[at + column] += sums[from + column * paddedChannels];
        }
      }
    }
  }
}
