// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.Curve;
import dev.tensorbus.autograd.kernel.Curves;
import dev.tensorbus.autograd.onnx.graph.Nodes;
import dev.tensorbus.autograd.trace.Application;
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
    public Tensor value(Tensor... inputs) {
      Tensor x = inputs[0];
      return Compute.result(x, x.shape(), (k, values) -> k.map(curve, x.storage(), values));
    }

    @Override
    public Derivative derivative(Application of) {
      return new Saved(curve, curve.keepsResult() ? of.result() : of.input(0));
    }

    @Override
    public String onnx(Nodes nodes) {
      String x = nodes.x();
      return switch (curve) {
        case Curve.Power(double exponent) -> nodes.add("Pow", x, nodes.number(exponent));
        case Curve.Clamp(double min, double max) ->
            nodes.add("Clip", x, nodes.number(min), nodes.number(max));
        case Curve.LeakyRelu(double slope) ->
            nodes.node("LeakyRelu").withReal("alpha", slope).of(x);
        case Curves.SILU -> nodes.add("Mul", x, nodes.add("Sigmoid", x));
        case Curves.GELU_TANH -> nodes.node("Gelu").withText("approximate", "tanh").of(x);
        case Curves.ABS -> nodes.add("Abs", x);
        case Curves.RELU -> nodes.add("Relu", x);
        case Curves.RECIPROCAL -> nodes.add("Reciprocal", x);
        case Curves.SQRT -> nodes.add("Sqrt", x);
        case Curves.EXP -> nodes.add("Exp", x);
        case Curves.LOG -> nodes.add("Log", x);
        case Curves.SIGMOID -> nodes.add("Sigmoid", x);
        case Curves.TANH -> nodes.add("Tanh", x);
        case Curves.SOFTPLUS -> nodes.add("Softplus", x);
        case Curves.GELU -> nodes.add("Gelu", x);
      };
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
