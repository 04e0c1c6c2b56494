// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.shape;

/// The sizes of a convolution: images `[batch, channels, height, width]`, weights `[filters,
/// channels / groups, kernelHeight, kernelWidth]`, results `[batch, filters, outputHeight,
/// outputWidth]`. Sequences are images of a single row.
///
/// @param groups the number of groups of channels and filters; a filter uses only the channels of
///     its own group
/// @param rows how filters slide vertically
/// @param columns how filters slide horizontally
public record ConvolutionShape(
    int batch, int channels, int filters, int groups, Window rows, Window columns) {
  /// Creates the shape of a convolution with one group, stride 1, no padding and no dilation.
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

  /// Returns the number of rows of an image.
  public int height() {
    return rows.size();
  }

  /// Returns the number of columns of an image.
  public int width() {
    return columns.size();
  }

  /// Returns the number of rows of a result.
  public int outputHeight() {
    return rows.outputs();
  }

  /// Returns the number of columns of a result.
  public int outputWidth() {
    return columns.outputs();
  }

  /// Returns the number of values of one channel of a result.
  public int outputPixels() {
    return outputHeight() * outputWidth();
  }

  /// Returns the number of values of one channel of an image.
  public int pixels() {
    return height() * width();
  }

  /// Returns the number of values of one channel of a filter.
  public int taps() {
    return rows.kernel() * columns.kernel();
  }

  /// Returns the number of channels that one filter uses.
  public int groupChannels() {
    return channels / groups;
  }

  /// Returns the number of filters that use the same channels.
  public int groupFilters() {
    return filters / groups;
  }

  /// Returns the number of values of one filter, which is the inner size if the convolution is
  /// computed as a matrix product.
  public int filterSize() {
    return groupChannels() * taps();
  }

  /// Returns the offset of an image's channels in the given group.
  public int imageStart(int image, int group) {
    return (image * channels + group * groupChannels()) * pixels();
  }

  /// Returns the offset of an image's results in the given group.
  public int outputStart(int image, int group) {
    return (image * filters + group * groupFilters()) * outputPixels();
  }
}
