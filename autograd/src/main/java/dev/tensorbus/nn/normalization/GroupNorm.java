// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.normalization;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Initializers;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.functional.Normalizations;

/// Normalizes over groups of channels. Like `torch.nn.GroupNorm`.
public final class GroupNorm extends Layer implements Forward {
  private final int groups;
  private final Tensor weight;
  private final Tensor bias;

  /// Creates a layer for `[n, channels, …]`.
  public GroupNorm(int groups, int channels) {
    this.groups = groups;
    this.weight = parameter("weight", Shape.of(channels), Initializers.ones(channels));
    this.bias = parameter("bias", Shape.of(channels), new float[channels]);
  }

  /// Returns a tensor of the same shape.
  ///
  /// @throws ShapeException if the number of channels is wrong
  @Override
  public Tensor forward(Tensor x) {
    return Normalizations.groupNorm(x, groups, weight, bias, Normalizations.EPSILON);
  }
}
