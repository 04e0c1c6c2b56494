// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

/// The sizes of a convolution with stride 1 and no padding: images `[batch, channels, height,
/// width]`, weights `[filters, channels, kernelHeight, kernelWidth]`, results `[batch, filters,
/// outputHeight, outputWidth]`.
public record ConvolutionShape(
    int batch,
    int channels,
    int height,
    int width,
    int filters,
    int kernelHeight,
    int kernelWidth) {
  /// Rows of a result.
  public int outputHeight() {
    return height - kernelHeight + 1;
  }

  /// Columns of a result.
  public int outputWidth() {
    return width - kernelWidth + 1;
  }

  /// Values of one channel of a result.
  public int outputPixels() {
    return outputHeight() * outputWidth();
  }

  /// Values of one channel of an image.
  int pixels() {
    return height * width;
  }

  /// Values of one channel of a filter.
  int taps() {
    return kernelHeight * kernelWidth;
  }

  /// Values of one filter: the inner size of the convolution as a matrix product.
  int filterSize() {
    return channels * taps();
  }

  /// Where the values lie in one image that filter value `k` meets, for the first result.
  int offset(int k) {
    int channel = k / taps();
    int tap = k % taps();
    return channel * pixels() + tap / kernelWidth * width + tap % kernelWidth;
  }
}
