// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.normalization;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Initializers;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.functional.Normalizations;
import org.jspecify.annotations.Nullable;

/// Normalizes each channel of each example separately (Ulyanov et al., "Instance Normalization",
/// 2016). It keeps no running statistics, like torch's `InstanceNorm1d` to `InstanceNorm3d` by
/// default.
public final class InstanceNorm extends Layer implements Forward {
  private final int channels;
  private final @Nullable Tensor weight;
  private final @Nullable Tensor bias;

  /// Creates a layer for `[n, channels, …]` without learned parameters, which is torch's default.
  public InstanceNorm(int channels) {
    this(channels, false);
  }

  /// Creates a layer for `[n, channels, …]`.
  ///
  /// @param affine whether a scale and a shift of each channel are learned
  public InstanceNorm(int channels, boolean affine) {
    Shape shape = Shape.of(channels);
    this.channels = channels;
    this.weight = affine ? parameter("weight", shape, Initializers.ones(channels)) : null;
    this.bias = affine ? parameter("bias", shape, new float[channels]) : null;
  }

  /// Returns a tensor of the same shape.
  ///
  /// @throws ShapeException if the number of channels is wrong
  @Override
  public Tensor forward(Tensor x) {
    Tensor scale = weight == null ? same(x.dtype(), 1) : weight;
    Tensor shift = bias == null ? same(x.dtype(), 0) : bias;
    return Normalizations.groupNorm(x, channels, scale, shift, Normalizations.EPSILON);
  }

  private Tensor same(DType type, double value) {
    return Tensor.full(Shape.of(channels), type, value);
  }
}
