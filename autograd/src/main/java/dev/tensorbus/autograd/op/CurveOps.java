// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.Curve;
import org.jspecify.annotations.Nullable;

/// Operations that apply a function of one number to each value. The function and its derivative
/// are a [Curve].
public final class CurveOps {
  private CurveOps() {}

  /// Applies a function whose name in messages is `operation`.
  public static Tensor map(String operation, Curve curve, Tensor x) {
    Compute.requireFloating(operation, x);
    return new Mapped(operation, curve).apply(x);
  }

  private record Mapped(String name, Curve curve) implements Operation {
    @Override
    public Result forward(Tensor... inputs) {
      Tensor x = inputs[0];
      Tensor y = Compute.result(x, x.shape(), (k, values) -> k.map(curve, x.storage(), values));
      return new Result(y, new Saved(curve, curve.keepsResult() ? y : x));
    }

    private record Saved(Curve curve, Tensor kept) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        return new Tensor[] {
          Compute.result(
              kept,
              kept.shape(),
              (k, dx) -> k.mapGradient(curve, kept.storage(), gradient.storage(), dx))
        };
      }
    }
  }
}
