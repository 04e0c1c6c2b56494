// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.convolution;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.COLUMNS;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.ROWS;

import dev.tensorbus.autograd.kernel.Parallel;
import dev.tensorbus.autograd.kernel.Scratch;
import dev.tensorbus.autograd.kernel.shape.ConvolutionShape;
import dev.tensorbus.autograd.kernel.shape.Window;
import dev.tensorbus.autograd.kernel.vector.product.Lines;
import dev.tensorbus.autograd.kernel.vector.product.Panels;
import dev.tensorbus.autograd.kernel.vector.product.Tile;
import dev.tensorbus.autograd.kernel.vector.product.Transpose;
import java.util.Arrays;

/// The derivative of a convolution by its images, as products of packed panels, one group of one
/// image a task.
///
/// It is summed in a transposed image, in which the channels of a pixel lie side by side, with the
/// padding around it. There a tile of neighbouring pixels of a result's row, one tap and some
/// channels belongs to pixels of the image that are one stride apart: it is added in place, and
/// no matrix of all taps has to be stored and summed.
public final class VectorInputGradient {
  private final Parallel parallel;
  private final ConvolutionShape shape;

  /// Channels and filters of a group: columns and depth of the product.
  private final int channels;

  private final int filters;

  /// Channels in whole tiles.
  private final int paddedChannels;

  private final Tile tile;

  public VectorInputGradient(Parallel parallel, ConvolutionShape shape) {
    this.parallel = parallel;
    this.shape = shape;
    this.channels = shape.groupChannels();
    this.filters = shape.groupFilters();
    this.paddedChannels = Panels.padded(channels, COLUMNS);
    this.tile = Tile.adding(1, shape.outputPixels(), COLUMNS, shape.columns().stride() * channels);
  }

  /// See [dev.tensorbus.autograd.kernel.Kernels#convolutionInputGradient].
  public void run(float[] weight, float[] gradient, float[] xGradient) {
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
    int transposed = shape.rows().padded() * shape.columns().padded() * channels;
    Scratch.borrow(
        transposed,
        sums -> {
          Arrays.fill(sums, 0, transposed, 0f);
          addTaps(gradient, start, taps, group, sums);
          Scratch.borrow(transposed, planes -> addTransposedBack(sums, planes, xGradient, target));
        });
  }

  /// Each panel of a tap stays in the first-level cache while all pixels pass by.
  private void addTaps(float[] gradient, int start, float[] taps, int group, float[] sums) {
    int kernelWidth = shape.columns().kernel();
    for (int tap = 0; tap < shape.taps(); tap++) {
      int top = tap / kernelWidth * shape.rows().dilation();
      int left = tap % kernelWidth * shape.columns().dilation();
      for (int channel = 0; channel < channels; channel += COLUMNS) {
        int panel = group + (tap * paddedChannels + channel) * filters;
        for (int row = 0; row < shape.outputHeight(); row++) {
          int pixel = (top + row * shape.rows().stride()) * shape.columns().padded() + left;
          int from = start + row * shape.outputWidth();
          addRow(gradient, from, taps, panel, sums, pixel * channels + channel, channels - channel);
        }
      }
    }
  }

  /// The gradient's pixels are multiplied as they lie: neighbours are rows, p are filters.
  private void addRow(
      float[] gradient, int start, float[] taps, int panel, float[] sums, int at, int present) {
    int width = shape.outputWidth();
    for (int column = 0; column < width; column += ROWS) {
      int corner = at + column * tile.cRow();
      tile.multiplyAdd(
          filters, gradient, start + column, taps, panel, sums, corner, width - column, present);
    }
  }

  /// Transposes the sums back, channel by channel, and adds them, without the padding around them.
  private void addTransposedBack(float[] sums, float[] planes, float[] xGradient, int target) {
    Window columns = shape.columns();
    int padded = shape.rows().padded() * columns.padded();
    Transpose.run(new Lines(sums, 0, channels, 1), padded, channels, planes, 0, padded);
    for (int row = 0; row < channels * shape.height(); row++) {
      int y = row % shape.height() + shape.rows().padding();
      int from = row / shape.height() * padded + y * columns.padded() + columns.padding();
      int to = target + row * shape.width();
      for (int column = 0; column < shape.width(); column++) {
        xGradient[to + column] += planes[from + column];
      }
    }
  }
}
