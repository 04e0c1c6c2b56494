// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.convolution;

import dev.tensorbus.autograd.kernel.shape.ConvolutionShape;
import dev.tensorbus.autograd.kernel.shape.Window;
import dev.tensorbus.autograd.kernel.vector.product.Lines;
import dev.tensorbus.autograd.kernel.vector.product.Transpose;
import java.util.stream.IntStream;

/// The layout of some channels of an image: padded, and transposed so that the channels of a pixel
/// are contiguous.
record TransposedImage(ConvolutionShape shape, int channels) {
  int size() {
    return shape.rows().padded() * pitch();
  }

  /// Returns the stride from one row to the next.
  int pitch() {
    return shape.columns().padded() * channels;
  }

  /// Returns, for each output pixel of `images` consecutive images, the offset of its window.
  int[] windowStarts(int images) {
    return IntStream.range(0, images * shape.outputPixels()).map(this::windowStart).toArray();
  }

  private int windowStart(int pixel) {
    int within = pixel % shape.outputPixels();
    int row = within / shape.outputWidth() * shape.rows().stride();
    int column = within % shape.outputWidth() * shape.columns().stride();
    return pixel / shape.outputPixels() * size() + row * pitch() + column * channels;
  }

  /// Transposes the image at `x[start]` to `target[to]`. The padding is not written; it must
  /// already be zero.
  void transpose(float[] x, int start, float[] target, int to) {
    Window across = shape.columns();
    if (across.padding() == 0 && shape.rows().padding() == 0) {
      Lines lines = new Lines(x, start, shape.pixels(), 1);
      Transpose.run(lines, channels, shape.pixels(), target, to, channels);
      return;
    }
    for (int row = 0; row < shape.height(); row++) {
      int pixel = (row + shape.rows().padding()) * across.padded() + across.padding();
      Lines lines = new Lines(x, start + row * shape.width(), shape.pixels(), 1);
      Transpose.run(lines, channels, shape.width(), target, to + pixel * channels, channels);
    }
  }
}
