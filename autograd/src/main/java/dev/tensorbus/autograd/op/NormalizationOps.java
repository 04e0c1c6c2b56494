// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import org.jspecify.annotations.Nullable;

/// Brings groups of values to mean 0 and variance 1: what layer, group and batch normalization
/// have in common.
public final class NormalizationOps {
  private NormalizationOps() {}

  /// What [#standardize] gives.
  ///
  /// @param values in the input's shape
  /// @param mean of each group, cut off from the graph
  /// @param variance of each group, divided by the number of its values; cut off too
  public record Standardized(Tensor values, Tensor mean, Tensor variance) {}

  /// Standardizes `x`, seen as `[n, groups, size]`, over the first and the last axis.
  ///
  /// @param epsilon what is added to the variance
  public static Standardized standardize(Tensor x, int groups, int size, double epsilon) {
    Compute.requireFloating("standardize", x);
    Tensor mean = Tensor.ofStorage(Shape.of(groups), x.dtype().newArray(groups));
    Tensor variance = Tensor.ofStorage(Shape.of(groups), x.dtype().newArray(groups));
    Tensor values = new Standardize(size, epsilon, mean, variance).apply(x);
    return new Standardized(values, mean, variance);
  }

  /// @param mean takes the means
  /// @param variance takes the variances
  private record Standardize(int size, double epsilon, Tensor mean, Tensor variance)
      implements Operation {
    @Override
    public Result forward(Tensor... inputs) {
      Tensor x = inputs[0];
      Tensor y =
          Compute.result(
              x,
              x.shape(),
              (k, to) ->
                  k.standardize(
                      x.storage(), size, epsilon, mean.storage(), variance.storage(), to));
      return new Result(y, new Standardize.Saved(size, epsilon, variance, y));
    }

    private record Saved(int size, double epsilon, Tensor variance, Tensor y)
        implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        return new Tensor[] {
          Compute.result(
              y,
              y.shape(),
              (k, dx) ->
                  k.standardizeGradient(
                      y.storage(), size, epsilon, variance.storage(), gradient.storage(), dx))
        };
      }
    }
  }
}
