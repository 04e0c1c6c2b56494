// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.convolution;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Sliding;

/// The settings of a convolution: `ConvolutionOptions.of(3, 64, 7).withStride(2).withPadding(3)`.
///
/// @param channels channels of the input
/// @param filters channels of the result
/// @param kernel rows and columns of a filter; over sequences, the columns
/// @param groups parts into which channels and filters fall; a filter sees its own part only
/// @param hasBias whether each filter adds a number of its own
public record ConvolutionOptions(
    int channels, int filters, Sliding.Pair kernel, Sliding sliding, int groups, boolean hasBias) {
  /// @throws IllegalArgumentException if channels or filters do not fall into groups
  public ConvolutionOptions {
    if (groups < 1 || channels % groups != 0 || filters % groups != 0) {
      throw new IllegalArgumentException(
          "convolution: %d channels and %d filters do not fall into %d groups"
              .formatted(channels, filters, groups));
    }
  }

  /// Square filters that go step by step and stay inside, with biases.
  public static ConvolutionOptions of(int channels, int filters, int kernel) {
    return of(channels, filters, Sliding.Pair.of(kernel));
  }

  /// The same with filters of these rows and columns.
  public static ConvolutionOptions of(int channels, int filters, Sliding.Pair kernel) {
    return new ConvolutionOptions(channels, filters, kernel, Sliding.ONE, 1, true);
  }

  /// Returns a copy that slides so.
  ///
  /// @throws IllegalStateException if a stride, a padding or a dilation was given before, which
  ///     this would replace
  public ConvolutionOptions withSliding(Sliding sliding) {
    if (!this.sliding.equals(Sliding.ONE)) {
      throw new IllegalStateException(
          "convolution: withSliding would replace stride %s, padding %s and dilation %s; give all in"
                  .formatted(this.sliding.stride(), this.sliding.padding(), this.sliding.dilation())
              + " one Sliding");
    }
    return sliding(sliding);
  }

  private ConvolutionOptions sliding(Sliding sliding) {
    return new ConvolutionOptions(channels, filters, kernel, sliding, groups, hasBias);
  }

  /// The same with this stride on both axes.
  public ConvolutionOptions withStride(int stride) {
    return sliding(sliding.withStride(stride));
  }

  /// The same with this padding on both axes.
  public ConvolutionOptions withPadding(int padding) {
    return sliding(sliding.withPadding(padding));
  }

  /// The same with this dilation on both axes.
  public ConvolutionOptions withDilation(int dilation) {
    return sliding(sliding.withDilation(dilation));
  }

  /// The same in groups.
  public ConvolutionOptions withGroups(int groups) {
    return new ConvolutionOptions(channels, filters, kernel, sliding, groups, hasBias);
  }

  /// The same without biases.
  public ConvolutionOptions withoutBias() {
    return new ConvolutionOptions(channels, filters, kernel, sliding, groups, false);
  }

  Shape weightShape() {
    return Shape.of(filters, channels / groups, kernel.rows(), kernel.columns());
  }

  /// Of one axis: over sequences.
  Shape rowWeightShape() {
    return Shape.of(filters, channels / groups, kernel.columns());
  }

  Shape transposedWeightShape() {
    return Shape.of(channels, filters / groups, kernel.rows(), kernel.columns());
  }
}
