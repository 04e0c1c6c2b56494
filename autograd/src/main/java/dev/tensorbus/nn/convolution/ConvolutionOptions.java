// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.convolution;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Sliding;

/// The options of a convolution: `ConvolutionOptions.of(3, 64, 7).withStride(2).withPadding(3)`.
///
/// @param channels the number of channels of the input
/// @param filters the number of filters, which is the number of channels of the result
/// @param kernel the number of rows and columns of a filter; for sequences, only the columns are
///     used
/// @param groups the number of groups of channels and filters; a filter uses only the channels of
///     its own group
/// @param hasBias whether each filter has a bias
public record ConvolutionOptions(
    int channels, int filters, Sliding.Pair kernel, Sliding sliding, int groups, boolean hasBias) {
  /// @throws IllegalArgumentException if channels or filters cannot be divided into groups
  public ConvolutionOptions {
    if (groups < 1 || channels % groups != 0 || filters % groups != 0) {
      throw new IllegalArgumentException(
          "convolution: %d channels and %d filters cannot be divided into %d groups"
              .formatted(channels, filters, groups));
    }
  }

  /// Returns the options of square filters with biases, stride 1 and no padding.
  public static ConvolutionOptions of(int channels, int filters, int kernel) {
    return of(channels, filters, Sliding.Pair.of(kernel));
  }

  /// Returns the options of filters with the given number of rows and columns, biases, stride 1 and
  /// no padding.
  public static ConvolutionOptions of(int channels, int filters, Sliding.Pair kernel) {
    return new ConvolutionOptions(channels, filters, kernel, Sliding.ONE, 1, true);
  }

  /// Returns a copy with the given stride, padding and dilation.
  ///
  /// @throws IllegalStateException if a stride, padding or dilation is already set
  public ConvolutionOptions withSliding(Sliding sliding) {
    if (!this.sliding.equals(Sliding.ONE)) {
      throw new IllegalStateException(
          ("convolution: withSliding would replace stride %s, padding %s and dilation %s; set all"
                  + " of them in one Sliding")
              .formatted(this.sliding.stride(), this.sliding.padding(), this.sliding.dilation()));
    }
    return sliding(sliding);
  }

  private ConvolutionOptions sliding(Sliding sliding) {
    return new ConvolutionOptions(channels, filters, kernel, sliding, groups, hasBias);
  }

  /// Returns a copy with the given stride on both axes.
  public ConvolutionOptions withStride(int stride) {
    return sliding(sliding.withStride(stride));
  }

  /// Returns a copy with the given padding on both axes.
  public ConvolutionOptions withPadding(int padding) {
    return sliding(sliding.withPadding(padding));
  }

  /// Returns a copy with the given dilation on both axes.
  public ConvolutionOptions withDilation(int dilation) {
    return sliding(sliding.withDilation(dilation));
  }

  /// Returns a copy with the given number of groups.
  public ConvolutionOptions withGroups(int groups) {
    return new ConvolutionOptions(channels, filters, kernel, sliding, groups, hasBias);
  }

  /// Returns a copy without biases.
  public ConvolutionOptions withoutBias() {
    return new ConvolutionOptions(channels, filters, kernel, sliding, groups, false);
  }

  Shape weightShape() {
    return Shape.of(filters, channels / groups, kernel.rows(), kernel.columns());
  }

  /// Returns the weight shape for sequences, which have only one axis.
  Shape rowWeightShape() {
    return Shape.of(filters, channels / groups, kernel.columns());
  }

  Shape transposedWeightShape() {
    return Shape.of(channels, filters / groups, kernel.rows(), kernel.columns());
  }
}
