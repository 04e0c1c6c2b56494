// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.shape;

/// The sizes of a convolution: images `[batch, channels, height, width]`, weights `[filters,
/// channels / groups, kernelHeight, kernelWidth]`, results `[batch, filters, outputHeight,
/// outputWidth]`. Sequences are images of a single row.
///
/// @param groups the number of groups of channels and filters; a filter sees the channels of its
///     own group only
/// @param rows how filters slide vertically
/// @param columns how filters slide horizontally
public record ConvolutionShape(
    int batch, int channels, int filters, int groups, Window rows, Window columns) {
  /// Filters over all channels with stride 1, no padding and no dilation.
  public ConvolutionShape(
      int batch,
      int channels,
      int height,
      int width,
      int filters,
      int kernelHeight,
      int kernelWidth) {
    this(
        batch,
        channels,
        filters,
        1,
        Window.of(height, kernelHeight),
        Window.of(width, kernelWidth));
  }

  /// Returns the rows of an image.
  public int height() {
    return rows.size();
  }

  /// Returns the columns of an image.
  public int width() {
    return columns.size();
  }

  /// Returns the rows of a result.
  public int outputHeight() {
    return rows.outputs();
  }

  /// Returns the columns of a result.
  public int outputWidth() {
    return columns.outputs();
  }

  /// Returns the values of one channel of a result.
  public int outputPixels() {
    return outputHeight() * outputWidth();
  }

  /// Returns the values of one channel of an image.
  public int pixels() {
    return height() * width();
  }

  /// Returns the values of one channel of a filter.
  public int taps() {
    return rows.kernel() * columns.kernel();
  }

  /// Returns the number of channels that one filter sees.
  public int groupChannels() {
    return channels / groups;
  }

  /// Returns the number of filters that see the same channels.
  public int groupFilters() {
    return filters / groups;
  }

  /// Returns the values of one filter: the inner size of the convolution as a matrix product.
  public int filterSize() {
    return groupChannels() * taps();
  }

  /// Returns the offset of the channels of a group in an image.
  public int imageStart(int image, int group) {
    return (image * channels + group * groupChannels()) * pixels();
  }

  /// Returns the offset of the results of a group in an image.
  public int outputStart(int image, int group) {
    return (image * filters + group * groupFilters()) * outputPixels();
  }
}
