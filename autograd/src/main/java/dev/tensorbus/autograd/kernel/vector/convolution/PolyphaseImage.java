// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.convolution;

import dev.tensorbus.autograd.kernel.shape.ConvolutionShape;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The polyphase layout of one group of an image's channels: with padding, and with the columns of
/// a row sorted by their remainder modulo the stride. As a result, the values that one filter tap
/// multiplies for a row of results are contiguous. Without padding and with a horizontal stride of
/// 1, this is the layout of the image itself.
///
/// @param pitch the length of a row
/// @param phase the number of values of a row that have the same remainder
record PolyphaseImage(ConvolutionShape shape, int pitch, int phase) {
  static PolyphaseImage of(ConvolutionShape shape) {
    int stride = shape.columns().stride();
    int phase = (shape.columns().padded() + stride - 1) / stride;
    return new PolyphaseImage(shape, stride * phase, phase);
  }

  /// Returns whether the image already has this layout.
  private boolean isPlain() {
    return shape.columns().stride() == 1
        && shape.columns().padding() == 0
        && shape.rows().padding() == 0;
  }

  /// Returns the number of values of all channels of a group, including padding.
  int size() {
    return shape.groupChannels() * plane();
  }

  private int plane() {
    return shape.rows().padded() * pitch;
  }

  /// Returns, for each value of a filter, the offset of the image value that it multiplies for the
  /// first result.
  int[] tapOffsets() {
    return IntStream.range(0, shape.filterSize()).map(this::tapOffset).toArray();
  }

  private int tapOffset(int k) {
    int kernelWidth = shape.columns().kernel();
    int row = k % shape.taps() / kernelWidth * shape.rows().dilation();
    int column = k % kernelWidth * shape.columns().dilation();
    return k / shape.taps() * plane() + row * pitch + place(column);
  }

  /// Returns, for each row of results, the offset at which its first window begins.
  int[] rowStarts() {
    int step = shape.rows().stride() * pitch;
    return IntStream.range(0, shape.outputHeight()).map(row -> row * step).toArray();
  }

  /// Returns the index that a column of the padded image has within a row of this layout.
  private int place(int column) {
    int stride = shape.columns().stride();
    return column % stride * phase + column / stride;
  }

  /// Copies the image at `x[from]` to `target[to]` in this layout.
  void split(float[] x, int from, float[] target, int to) {
    if (!isPlain()) {
      Arrays.fill(target, to, to + size(), 0f);
    }
    splitAgain(x, from, target, to);
  }

  /// Does the same as [#split] for a target that contained another image before, so that its
  /// padding is already zero.
  void splitAgain(float[] x, int from, float[] target, int to) {
    if (isPlain()) {
      System.arraycopy(x, from, target, to, size());
      return;
    }
    for (int row = 0; row < shape.groupChannels() * shape.height(); row++) {
      splitRow(x, from + row * shape.width(), target, to + rowStart(row));
    }
  }

  private void splitRow(float[] x, int source, float[] target, int at) {
    int stride = shape.columns().stride();
    int padding = shape.columns().padding();
    if (stride == 1) {
      System.arraycopy(x, source, target, at + padding, shape.width());
    } else if (stride == 2) {
      EvenOdd.part(x, source, shape.width(), target, at + place(padding), at + place(padding + 1));
    } else {
      for (int column = 0; column < shape.width(); column++) {
        target[at + place(padding + column)] = x[source + column];
      }
    }
  }

  /// Copies an image from this layout to `x[to]`, without its padding, and adds the biases of the
  /// channels of `group` unless `bias` is null.
  void copyBack(float[] split, float @Nullable [] bias, int group, float[] x, int to) {
    for (int row = 0; row < shape.groupChannels() * shape.height(); row++) {
      int channel = group * shape.groupChannels() + row / shape.height();
      float first = bias == null ? 0 : bias[channel];
      copyRowBack(split, rowStart(row), first, x, to + row * shape.width());
    }
  }

  private void copyRowBack(float[] split, int at, float bias, float[] x, int target) {
    int padding = shape.columns().padding();
    if (shape.columns().stride() == 2) {
      int even = at + place(padding);
      EvenOdd.join(split, even, at + place(padding + 1), bias, x, target, shape.width());
      return;
    }
    for (int column = 0; column < shape.width(); column++) {
      x[target + column] = split[at + place(padding + column)] + bias;
    }
  }

  /// Returns the offset of a row of the image. Rows are numbered consecutively across all channels.
  private int rowStart(int row) {
    int padded = row / shape.height() * shape.rows().padded() + shape.rows().padding();
    return (padded + row % shape.height()) * pitch;
  }
}
