// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.shape;

/// The sizes of a convolution: images `[batch, channels, height, width]`, weights `[filters,
/// channels / groups, kernelHeight, kernelWidth]`, results `[batch, filters, outputHeight,
/// outputWidth]`. Over sequences it is one whose images are a single row.
///
/// @param groups parts into which channels and filters fall; a filter sees its own part only
/// @param rows how filters go down an image
/// @param columns how filters go across an image
public record ConvolutionShape(
    int batch, int channels, int filters, int groups, Window rows, Window columns) {
  /// Filters that see all channels, go step by step and stay inside the image.
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

  /// Rows of an image.
  public int height() {
    return rows.size();
  }

  /// Columns of an image.
  public int width() {
    return columns.size();
  }

  /// Rows of a result.
  public int outputHeight() {
    return rows.outputs();
  }

  /// Columns of a result.
  public int outputWidth() {
    return columns.outputs();
  }

  /// Values of one channel of a result.
  public int outputPixels() {
    return outputHeight() * outputWidth();
  }

  /// Values of one channel of an image.
  public int pixels() {
    return height() * width();
  }

  /// Values of one channel of a filter.
  public int taps() {
    return rows.kernel() * columns.kernel();
  }

  /// Channels that one filter sees.
  public int groupChannels() {
    return channels / groups;
  }

  /// Filters that see the same channels.
  public int groupFilters() {
    return filters / groups;
  }

  /// Values of one filter: the inner size of the convolution as a matrix product.
  public int filterSize() {
    return groupChannels() * taps();
  }

  /// Where image `image`'s channels of group `group` begin.
  public int imageStart(int image, int group) {
    return (image * channels + group * groupChannels()) * pixels();
  }

  /// Where image `image`'s results of group `group` begin.
  public int outputStart(int image, int group) {
    return (image * filters + group * groupFilters()) * outputPixels();
  }
}
